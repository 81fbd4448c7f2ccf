//===- MemOps.td - operations of the mem dialect ----------------*- tablegen -*-===//
//
// Two groups: what a program looks like before planning (buffers, descriptors, kernels)
// and after it (arenas, views, transfers). Every generator runs on this file.
//
//===--------------------------------------------------------------------------===//

#ifndef MEM_OPS_TD
#define MEM_OPS_TD

include "MemAttrs.td"
include "MemTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Mem_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mem_Dialect, mnemonic, traits>;

//===--------------------------------------------------------------------------===//
// Before planning
//===--------------------------------------------------------------------------===//

def Mem_BufferOp : Mem_Op<"buffer", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "storage without an address";
  let description = [{
    The storage of one tensor. Every execution yields a new buffer with undefined
    contents. Its lifetime goes from the first definition of one of its bytes to the last
    use; nothing frees it. A buffer whose type does not say how many bytes it has is told
    by its operand.

    `alignment` is what the planner must give its address beyond the alignment of the
    level, `role` is what the buffer is to the program, and `name` is how plans,
    pictures and diagnostics call it.

    Example:

    ```mlir
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %w = mem.buffer {name = "w", alignment = 64, role = #mem.role<constant>} : !mem.buffer<4096>
    %x = mem.buffer[%bytes] {name = "x"} : !mem.buffer<?>
    ```
  }];
  let arguments = (ins
    Optional<Index>:$dynamic_size,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<Mem_AlignmentAttr>:$alignment,
    OptionalAttr<Mem_RoleAttr>:$role);
  let results = (outs Res<Mem_BufferType, "the storage", [MemAlloc]>:$result);
  let assemblyFormat = [{
    (`` `[` $dynamic_size^ `]`)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Mem_DescriptorOp : Mem_Op<"descriptor", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a byte interval of a buffer, seen as a memref";
  let description = [{
    The descriptor (buffer, offset, size) denotes the bytes `[offset, offset + size)` of
    the buffer. It is *exact* if offset and size are both constants, otherwise *inexact*.
    The result is an ordinary memref: element `[0, ..., 0]` lies at byte `offset` of the
    buffer, and all elements lie in the interval.

    The layout of the memref is the identity or strided, without negative strides. If it
    has a static offset of `o` elements, then the memref's aligned pointer is `o` elements
    before byte `offset`; that must not be before the buffer's start.

    A constant that reaches `offset` or `size` is folded into the operation, which thereby
    may become exact.

    Example:

    ```mlir
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = mem.descriptor %a[32, %n] : !mem.buffer<128> -> memref<?xf32>
    %r = mem.descriptor %a[16, 112] : !mem.buffer<128>
        -> memref<4x4xf32, strided<[8, 1], offset: 4>>
    ```
  }];
  let arguments = (ins
    Mem_BufferType:$buffer,
    Variadic<Index>:$bounds,
    DenseI64ArrayAttr:$static_bounds);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $buffer `` custom<DynamicIndexList>($bounds, $static_bounds) attr-dict
    `:` qualified(type($buffer)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// First byte if it is a constant.
    std::optional<int64_t> getStaticOffset();
    /// Number of bytes if it is a constant.
    std::optional<int64_t> getStaticSize();
    /// Whether offset and size are both constants.
    bool isExact() { return getBounds().empty(); }
  }];
}

def Mem_KernelOp : Mem_Op<"kernel", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "opaque compute that states its own effects";
  let description = [{
    One step of a program whose compute MLIR does not see. All it accesses are its
    operands, in these groups, each of them optional and in any order:

    * `uses`: reads these bytes, all of them;
    * `defines`: writes these bytes, all of them;
    * `may_uses`, `may_defines`: reads, writes some of these bytes, or none;
    * `workspace`: scratch memory, undefined before the kernel and after it;
    * `in_place [...]`: the positions in `uses` of operands whose bytes the results may
      take over: the kernel has read such an operand before it writes over it;
    * `disjoint`: asserts that no two operands share a byte. Descriptors of one buffer
      whose constant intervals overlap contradict it, and are an error;
    * `if`: the kernel runs only if the predicate holds. Its definitions are then no longer
      certain.

    `cycles` is the duration, `core` the number of the core that runs it. All uses come
    before all definitions. A kernel that writes nothing has no effect and can be removed.

    Kernels of one core run in the order of the program, and so do all operations that state
    no core. Across cores an operation waits for another of its block only if both are sure
    to touch a common byte, one of them writing it, or if it waits for the other's token.
    Control leaves a block when all that was begun in it is done.

    Example:

    ```mlir
    mem.kernel "conv1" uses(%v, %w : memref<32xf32>, memref<9xf32>)
                       defines(%o : memref<32xf32>)
                       workspace(%t : memref<64xi8>) in_place [0] if %p {core = 0, cycles = 900}
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    Variadic<AnyMemRef>:$uses,
    Variadic<AnyMemRef>:$defines,
    Variadic<AnyMemRef>:$may_uses,
    Variadic<AnyMemRef>:$may_defines,
    Variadic<AnyMemRef>:$workspace,
    Optional<I1>:$predicate,
    OptionalAttr<DenseI64ArrayAttr>:$in_place,
    UnitAttr:$disjoint,
    OptionalAttr<Mem_CyclesAttr>:$cycles,
    OptionalAttr<Mem_CoreAttr>:$core);
  let assemblyFormat = [{
    $name oilist(
        `uses` `(` $uses `:` type($uses) `)`
      | `defines` `(` $defines `:` type($defines) `)`
      | `may_uses` `(` $may_uses `:` type($may_uses) `)`
      | `may_defines` `(` $may_defines `:` type($may_defines) `)`
      | `workspace` `(` $workspace `:` type($workspace) `)`
      | `in_place` custom<Positions>($in_place)
      | `disjoint` $disjoint
      | `if` $predicate
    ) attr-dict
  }];
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// After planning
//===--------------------------------------------------------------------------===//

def Mem_ArenaOp : Mem_Op<"arena", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the memory that a plan takes from one level";
  let description = [{
    Contiguous memory of `size` bytes in the level of that name. The size is the peak of
    the plan: the highest address used. `strategy` is the name of what made the plan;
    `proven_bound` is a size below which no plan exists, where that is more than the largest
    number of bytes that are live at once. A size that depends on sizes known only at run time
    is an operand.

    Example:

    ```mlir
    %sram = mem.arena "sram", 5120 {alignment = 64} : !mem.arena
    %dram = mem.arena "dram", %bytes : !mem.arena
    ```
  }];
  let arguments = (ins
    StrAttr:$level,
    OptionalAttr<Mem_BytesAttr>:$size,
    Optional<Index>:$dynamic_size,
    OptionalAttr<Mem_AlignmentAttr>:$alignment,
    OptionalAttr<StrAttr>:$strategy,
    OptionalAttr<Mem_BytesAttr>:$proven_bound);
  let results = (outs Res<Mem_ArenaType, "the memory", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $level `,` custom<Bytes>($size, $dynamic_size) attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Mem_ViewOp : Mem_Op<"view", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a place in an arena";
  let description = [{
    What starts at byte `offset` of the arena: either a buffer, whose descriptors then
    keep the offsets they have in the unplanned program, or a memref, whose element
    `[0, ..., 0]` lies there. A memref has a static shape and static strides, none of them
    negative. Views overlap where the plan lets tensors share bytes one after the other.

    `name`, `alignment` and `role` are those of the buffer that was placed.

    An offset that depends on sizes known only at run time is an operand, and so is the size
    of a buffer whose type does not say it: it follows the offset.

    Example:

    ```mlir
    %a = mem.view %arena[2048] {name = "a"} : !mem.arena -> !mem.buffer<128>
    %x = mem.view %arena[2048] : !mem.arena -> memref<32xf32, #mem.space<"sram">>
    %b = mem.view %arena[%offset, %bytes] {name = "b"} : !mem.arena -> !mem.buffer<?>
    ```
  }];
  let arguments = (ins
    Mem_ArenaType:$arena,
    OptionalAttr<Mem_BytesAttr>:$offset,
    Variadic<Index>:$bounds,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<Mem_AlignmentAttr>:$alignment,
    OptionalAttr<Mem_RoleAttr>:$role);
  let results = (outs AnyTypeOf<[Mem_BufferType, AnyMemRef]>:$result);
  let assemblyFormat = [{
    $arena `` `[` custom<Bounds>($offset, $bounds) `]` attr-dict
    `:` type($arena) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// First byte if it is known only at run time.
    ::mlir::Value getDynamicOffset() { return getOffset() ? ::mlir::Value() : getBounds()[0]; }
  }];
}

def Mem_SliceOp : Mem_Op<"slice", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a part of an arena, itself an arena";
  let description = [{
    The bytes `[offset, offset + size)` of the arena, for instance what a callee may use
    as its own arena. An offset that depends on sizes known only at run time is an operand.

    Example:

    ```mlir
    %sub = mem.slice %arena[4096, 1024] : !mem.arena -> !mem.arena
    func.call @layer(%x, %sub) : (memref<32xf32>, !mem.arena) -> ()
    ```
  }];
  let arguments = (ins
    Mem_ArenaType:$arena,
    OptionalAttr<Mem_BytesAttr>:$offset,
    Optional<Index>:$dynamic_offset,
    Mem_BytesAttr:$size);
  let results = (outs Mem_ArenaType:$result);
  let assemblyFormat = [{
    $arena `` `[` custom<Bytes>($offset, $dynamic_offset) `,` $size `]` attr-dict `:` type($arena) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Mem_RotateOp : Mem_Op<"rotate", [
    Pure, AttrSizedOperandSegments,
    TypesMatchWith<"all slots have the type of the result", "result", "slots", "$_self",
                   "[](::mlir::Type type, ::mlir::TypeRange slots) { "
                   "return ::llvm::all_of(slots, [&](::mlir::Type t) { return t == type; }); }">]> {
  let summary = "the first slot that is not in use";
  let description = [{
    Yields the first of the slots into whose bytes none of the `avoiding` memrefs points.
    A loop that writes a tensor anew while the instance of the iteration before is still
    read takes turns between slots this way; both instances keep distinct storage. With
    one slot more than there are memrefs to avoid there always is a free one.

    The memrefs to avoid each point into at most one slot. Only pointers are compared, no
    memory is accessed.

    Example:

    ```mlir
    scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<32xf32>) {
      %slot = mem.rotate(%a, %b) avoiding(%old : memref<32xf32>) : !mem.buffer<128>
      %new = mem.descriptor %slot[0, 128] : !mem.buffer<128> -> memref<32xf32>
      mem.kernel "step" uses(%old : memref<32xf32>) defines(%new : memref<32xf32>)
      scf.yield %new : memref<32xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Mem_BufferType>:$slots, Variadic<AnyMemRef>:$avoiding);
  let results = (outs Mem_BufferType:$result);
  let assemblyFormat = [{
    `` `(` $slots `)` (`avoiding` `(` $avoiding^ `:` type($avoiding) `)`)?
    attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

// A transfer copies a memref's elements from one place to another. The four of them differ
// in the levels they connect and in what becomes of the source.
class Mem_TransferOp<string mnemonic, string fate, string example> : Mem_Op<mnemonic> {
  let description = fate # [{
    Source and target have the same element type and the same static shape; their layouts
    may differ, and their bytes do not overlap. With `async` the transfer only starts here
    and yields a token: its bytes are accessed until a `mem.wait` on it.

    Example:

    ```mlir}] # example # [{    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "where the elements come from", [MemReadAt<0, FullEffect>]>:$source,
    Arg<AnyMemRef, "where the elements go to", [MemWriteAt<1, FullEffect>]>:$target);
  let results = (outs Optional<Mem_TokenType>:$token);
  let assemblyFormat = [{
    `` custom<Async>(type($token)) $source `to` $target attr-dict
    `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the transfer runs on until its token is waited for.
    bool isAsync() { return static_cast<bool>(getToken()); }
  }];
}

def Mem_LoadOp : Mem_TransferOp<"load", [{
    The source stays valid.
}], [{
    mem.load %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
    %t = mem.load async %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
}]> {
  let summary = "copy from a slower level to a faster one";
}

def Mem_StoreOp : Mem_TransferOp<"store", [{
    The source stays valid.
}], [{
    mem.store %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
    %t = mem.store async %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
}]> {
  let summary = "copy from a faster level to a slower one";
}

def Mem_SwapOp : Mem_TransferOp<"swap", [{
    The target takes the place of the source, whose bytes are dead from here on: their
    contents are undefined, and the plan may give them to another buffer.
}], [{
    mem.swap %x to %slot : memref<4xf32, #mem.space<"sram">> to memref<4xf32, #mem.space<"dram">>
    %t = mem.swap async %x to %home : memref<4xf32, #mem.space<"sram">> to memref<4xf32>
}]> {
  let summary = "move a live block to another level";
}

def Mem_MoveOp : Mem_TransferOp<"move", [{
    The target takes the place of the source, whose bytes are dead from here on: their
    contents are undefined, and the plan may give them to another buffer. Both are in the
    same memory space.
}], [{
    mem.move %x to %y : memref<4xf32, #mem.space<"sram">> to memref<4xf32, #mem.space<"sram">>
}]> {
  let summary = "move a live block inside one level";
}

def Mem_WaitOp : Mem_Op<"wait", [MemoryEffects<[MemWrite]>]> {
  let summary = "wait until asynchronous transfers have completed";
  let description = [{
    When it is done, so are the transfers of all its tokens: their targets hold the data,
    and their sources may be overwritten.

    Example:

    ```mlir
    mem.wait %t, %u
    ```
  }];
  let arguments = (ins Variadic<Mem_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

#endif // MEM_OPS_TD
