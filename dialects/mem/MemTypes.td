//===- MemTypes.td - types of the mem dialect -------------------*- tablegen -*-===//
//
// Buffers, arenas and completion tokens.
//
//===--------------------------------------------------------------------------===//

#ifndef MEM_TYPES_TD
#define MEM_TYPES_TD

include "MemDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Mem_Type<string name, string typeMnemonic> : TypeDef<Mem_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Mem_BufferType : Mem_Type<"Buffer", "buffer"> {
  let summary = "buffer";
  let description = [{
    The storage of one tensor: contiguous bytes with an identity. No two buffers share a byte while
    both are live. A buffer has no address before planning; after planning, it is a placement in an
    arena. The first parameter is the size in bytes, or `?` if the size is known only at run time.
    The second one is the memory space of the buffer's descriptors; the default memory space if
    absent.

    Example:

    ```mlir
    !mem.buffer<128>
    !mem.buffer<?>
    !mem.buffer<128, #mem.space<"sram">>
    ```
  }];
  let parameters = (ins "int64_t":$size,
    OptionalParameter<"::mlir::Attribute", "memory space">:$memorySpace);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the size is known only at run time.
    bool isDynamic() const { return ::mlir::ShapedType::isDynamic(getSize()); }
  }];
}

def Mem_ArenaType : Mem_Type<"Arena", "arena"> {
  let summary = "arena";
  let description = [{
    Contiguous memory in one level, in which a plan places buffers. The type carries neither the
    level nor the size, so an arena of any size can be passed to a function. The level and the size
    are given by `mem.arena` and `mem.slice`. The parameter is the memory space of the level; the
    default memory space if absent.

    Example:

    ```mlir
    !mem.arena
    !mem.arena<1>
    !mem.arena<#mem.space<"sram">>
    ```
  }];
  let parameters = (ins OptionalParameter<"::mlir::Attribute", "memory space">:$memorySpace);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_TokenType : Mem_Type<"Token", "token"> {
  let summary = "token";
  let description = [{
    The completion of an asynchronous transfer. The transfer accesses its source and its target
    until a `mem.wait` on the token.

    Example:

    ```mlir
    !mem.token
    ```
  }];
}

#endif // MEM_TYPES_TD
