//===- MemDialect.td - the mem dialect -------------------------*- tablegen -*-===//
//
// Purpose of the dialect and its reserved attribute names. Attributes, types and operations are in
// separate files; MemOps.td includes all of them.
//
//===--------------------------------------------------------------------------===//

#ifndef MEM_DIALECT_TD
#define MEM_DIALECT_TD

include "mlir/IR/OpBase.td"

def Mem_Dialect : Dialect {
  let name = "mem";
  let cppNamespace = "::mlir::mem";
  let summary = "Location and lifetime of every tensor of a program";
  let description = [{
    The `mem` dialect describes the storage of a bufferized program at two stages: before memory
    planning, when the storage of a tensor has a size but no address, and after planning, when every
    address is explicit and every copy between levels of the memory hierarchy is an operation.

    **Before planning.** A `mem.buffer` is the storage of one tensor. A `mem.descriptor` is an
    ordinary memref over a byte interval of a buffer, so operations of every dialect work on it
    unchanged. A `mem.kernel` is compute that is opaque to MLIR; it declares its uses and
    definitions.

    ```mlir
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %o = mem.buffer {name = "o", role = #mem.role<output>} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = mem.descriptor %o[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "relu" uses(%v : memref<32xf32>) defines(%w : memref<32xf32>) {cycles = 900}
    ```

    **After planning.** A `mem.arena` is the memory that a plan uses in one level. A `mem.view` is a
    placement in an arena. The transfers are `mem.load`, `mem.store`, `mem.swap` and `mem.move`.

    ```mlir
    %sram = mem.arena "sram", 5120 : !mem.arena
    %x = mem.view %sram[2048] : !mem.arena -> memref<32xf32, #mem.space<"sram">>
    %t = mem.load async %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
    mem.wait %t
    ```

    **The hierarchy** is the `mem.hierarchy` attribute of the module. Levels are ordered from
    fastest to slowest; memory spaces `#mem.space<"...">` refer to levels by name.

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

    Sizes, offsets, capacities and alignments are in bytes; byte intervals are half-open.

    The dialect defines ten discardable attributes and rejects any other attribute whose name
    starts with `mem.`:

    | attribute | on | meaning |
    | --- | --- | --- |
    | `mem.hierarchy` | a module | the memory hierarchy of the target |
    | `mem.role` | a function argument | the role of the argument's buffer, a `#mem.role` |
    | `mem.name` | a function argument | the name of the views that are further placements of the argument: a non-empty string, unique among the arguments of the function, that does not begin with `@` |
    | `mem.noalias` | a function argument | the bytes of the argument do not overlap those of any other argument |
    | `mem.arena` | a function argument of type `!mem.arena` | the required `size` and `alignment`, with the same meaning as on a `mem.arena`: a dictionary |
    | `mem.recompute` | any operation | the operation recomputes the result of an equal operation: a unit attribute |
    | `mem.group` | any operation | the number of the group that the operation runs tile by tile with, in its function: an `i64`; see `mem-tile` |
    | `mem.untiled` | an operation that runs tile by tile | the number of the original operation in its block, the bytes of the function's own buffers that it accessed, and those that were live during it: an array of three `i64`; see `mem-tile` |
    | `mem.accesses` | any operation | the reads and writes of the operation and their dependences: an array of dictionaries; see `mem-annotate-dependence` |
    | `mem.joins` | a function | the phis of memory states: an array of dictionaries |
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
    /// The name of the views that are placements of a function argument, a StringAttr.
    static constexpr ::llvm::StringLiteral kNameAttrName = "mem.name";
    /// A unit attribute: the function argument overlaps no other argument.
    static constexpr ::llvm::StringLiteral kNoAliasAttrName = "mem.noalias";
    static constexpr ::llvm::StringLiteral kArenaAttrName = "mem.arena";

    /// A unit attribute: the operation recomputes the result of another operation.
    static constexpr ::llvm::StringLiteral kRecomputeAttrName = "mem.recompute";
    /// The group that the operation runs tile by tile with, an IntegerAttr.
    static constexpr ::llvm::StringLiteral kGroupAttrName = "mem.group";
    /// What the operation accessed before it ran tile by tile, a DenseI64ArrayAttr.
    static constexpr ::llvm::StringLiteral kUntiledAttrName = "mem.untiled";
    /// The reads and writes of an operation, an array of dictionaries.
    static constexpr ::llvm::StringLiteral kAccessesAttrName = "mem.accesses";
    /// The phis of memory states of a function, an array of dictionaries.
    static constexpr ::llvm::StringLiteral kJoinsAttrName = "mem.joins";

    /// The largest alignment that a buffer, view, arena or level may require, in bytes.
    static constexpr int64_t kMaxAlignment = int64_t(1) << 20;

    void registerAttributes();
    void registerTypes();
  }];
}

#endif // MEM_DIALECT_TD
