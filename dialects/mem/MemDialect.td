//===- MemDialect.td - the mem dialect -------------------------*- tablegen -*-===//
//
// What the dialect is for, and the attribute names it reserves. Attributes, types and
// operations are in their own files; MemOps.td includes everything.
//
//===--------------------------------------------------------------------------===//

#ifndef MEM_DIALECT_TD
#define MEM_DIALECT_TD

include "mlir/IR/OpBase.td"

def Mem_Dialect : Dialect {
  let name = "mem";
  let cppNamespace = "::mlir::mem";
  let summary = "Where every tensor of a program lives, and when";
  let description = [{
    The `mem` dialect describes the storage of a bufferized program twice: before memory
    planning, where a tensor's storage has a size and no address, and after it, where every
    address is explicit and every copy between the levels of the memory hierarchy is an
    operation.

    **Before planning.** A `mem.buffer` is the storage of one tensor. A `mem.descriptor` is
    a byte interval of a buffer, seen as an ordinary memref, so that operations of every
    dialect work on it unchanged. Compute that MLIR cannot see into is a `mem.kernel`,
    which states what it uses and defines.

    ```mlir
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %o = mem.buffer {name = "o", role = #mem.role<output>} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = mem.descriptor %o[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "relu" uses(%v : memref<32xf32>) defines(%w : memref<32xf32>) {cycles = 900}
    ```

    **After planning.** A `mem.arena` is the memory that a plan takes from one level. A
    `mem.view` is a place in it, and `mem.load`, `mem.store`, `mem.swap` and `mem.move`
    are the transfers.

    ```mlir
    %sram = mem.arena "sram", 5120 : !mem.arena
    %x = mem.view %sram[2048] : !mem.arena -> memref<32xf32, #mem.space<"sram">>
    %t = mem.load async %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
    mem.wait %t
    ```

    **The hierarchy** is the attribute `mem.hierarchy` of the module. Its levels are ordered
    from the fastest to the slowest; memory spaces `#mem.space<"...">` name them.

    ```mlir
    module attributes {mem.hierarchy = #mem.hierarchy<
        #mem.level<"sram", capacity = 1048576, alignment = 64,
                   read = (latency = 20, bandwidth = 64.0),
                   write = (latency = 20, bandwidth = 64.0)>,
        #mem.level<"dram", alignment = 64,
                   read = (latency = 200, bandwidth = 16.0),
                   write = (latency = 220, bandwidth = 12.0)>>} {
    }
    ```

    Sizes, offsets, capacities and alignments are bytes; byte intervals are half-open.

    The dialect gives a meaning to eight discardable attributes, and rejects every other
    one whose name starts with `mem.`:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `mem.hierarchy` | a module | the memory hierarchy of the target |
    | `mem.role` | a function argument | the role of the argument's buffer, a `#mem.role` |
    | `mem.name` | a function argument | what its other places are called: a string that no other argument of the function has |
    | `mem.noalias` | a function argument | its bytes overlap those of no other argument |
    | `mem.arena` | a function argument of type `!mem.arena` | a dictionary: `size` and `alignment` that it must have, as a `mem.arena` would |
    | `mem.recompute` | any operation | it computes again what an equal operation has computed: a unit attribute |
    | `mem.accesses` | any operation | what it reads and writes, and who depends on it: an array of dictionaries; see `mem-annotate-dependence` |
    | `mem.joins` | a function | where states of memory meet: an array of dictionaries |
  }];

  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;

  let extraClassDeclaration = [{
    /// The memory hierarchy of a module, a HierarchyAttr.
    static constexpr ::llvm::StringLiteral kHierarchyAttrName = "mem.hierarchy";
    /// The role of a function argument, a RoleAttr.
    static constexpr ::llvm::StringLiteral kRoleAttrName = "mem.role";
    /// What views that are places of a function argument are called, a StringAttr.
    static constexpr ::llvm::StringLiteral kNameAttrName = "mem.name";
    /// A unit attribute: a function argument that overlaps no other one.
    static constexpr ::llvm::StringLiteral kNoAliasAttrName = "mem.noalias";
    static constexpr ::llvm::StringLiteral kArenaAttrName = "mem.arena";

    /// A unit attribute: an operation repeats what another has computed.
    static constexpr ::llvm::StringLiteral kRecomputeAttrName = "mem.recompute";
    /// What an operation reads and writes, an array of dictionaries.
    static constexpr ::llvm::StringLiteral kAccessesAttrName = "mem.accesses";
    /// Phis of a function's memory, an array of dictionaries.
    static constexpr ::llvm::StringLiteral kJoinsAttrName = "mem.joins";

    /// The largest alignment that a buffer, view, arena or level may ask for, in bytes.
    static constexpr int64_t kMaxAlignment = int64_t(1) << 20;

    void registerAttributes();
    void registerTypes();
  }];
}

#endif // MEM_DIALECT_TD
