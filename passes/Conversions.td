//===- Conversions.td - The passes that convert to and from the dialect ---===//
//
// Part of Passes.td.
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

/// A module with tensors and no buffers is no error to these passes.
class AcceptsTensors;
/// These passes run upstream's bufferization or partitioning.
class Bufferizes : AcceptsTensors;

def Verify : Option<"verify", "verify", "bool", /*default=*/"true",
    "Whether MLIR's verifier runs after the pass; pipelines verify once after several passes that "
    "belong together">;

def ConvertMemrefToMem : Pass<"convert-memref-to-mem", "::mlir::ModuleOp"> {
  let summary = "Convert memref allocations and their views to buffers and descriptors";
  let description = [{
    Converts every `memref.alloc` and `memref.alloca` whose address does not escape the function to
    a `mem.buffer`. Constant byte ranges of the allocation (the whole, or a `memref.subview`,
    `expand_shape`, `collapse_shape`, `cast`, `reinterpret_cast` or `view` with constant parameters)
    become `mem.descriptor`s. Views whose offsets are known only at run time stay, as views of a
    descriptor. Deallocations of converted buffers are removed. Function arguments get a role,
    `mem.role`, that states whether they are written.

    An allocation of dynamic size becomes a buffer of its maximum size if its dimensions have known
    bounds, as loop tiles do. Bounds are found through `affine.min`, `affine.max`, `affine.apply`,
    arithmetic, induction variables and results of `scf.if`. A remark states how far the sizes may be
    below their bounds. Otherwise it becomes a `!mem.buffer<?>` with a size operand, if the
    size can be computed before the first buffer is needed. A `memref.view` restores its shape.

    Allocations that cannot be converted stay unchanged, and a remark states the reason: a size that
    is computed too late, a non-identity layout, an element type of unknown size, or an address that
    is returned, stored, converted to an integer or passed to unknown code.
    ```mlir
    %0 = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
    // becomes
    %0 = mem.buffer {alignment = 64 : i64, name = "buf0"} : !mem.buffer<128>
    %1 = mem.descriptor %0[0, 128] : !mem.buffer<128> -> memref<32xf32>
    ```
    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem)' in.mlir`
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Minimum alignment of every buffer in bytes, a power of two up to 1 MiB; 0: that of the "
           "allocation and its element type">,
    Verify,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Allocations converted to buffers">,
    Statistic<"numBytes", "bytes", "Sum of the sizes of the converted buffers in bytes">,
    Statistic<"numDescriptors", "descriptors", "Views converted to descriptors">,
    Statistic<"numDeallocations", "deallocations", "Deallocations removed">,
    Statistic<"numKept", "kept", "Allocations left unchanged">,
  ];
}

def MemBufferize : Pass<"mem-bufferize", "::mlir::ModuleOp">, Bufferizes {
  let summary = "Convert functions on tensors to functions on memrefs";
  let description = [{
    Bufferizes the functions that have tensors, with upstream's one-shot bufferization, in the way
    that suits planning; `mem-from-linalg-pipeline` consists of this pass. The passes of this project
    work on the result. Functions without tensors stay as they are.

    * Arguments and results are memrefs with identity layouts.
    * A result becomes an argument that the function writes, marked `bufferize.result`. Its last
      value is computed in place, without an allocation and a copy. Two kinds of results stay:
      those of declarations, and those of functions with callers if the shape is known only at run
      time.
    * A result that is an argument, perhaps changed in place, such as the cache of a decoder, is
      dropped: callers find it in the argument. A remark says so for each public function.
    * Loops may yield a fresh allocation every round. No deallocations are inserted: planned buffers
      need none.
    * Branches between blocks become structured control flow, as with `lift-cf-to-scf`. Upstream's
      bufferization of branches overwrites tensors that are read later. For the same reason, a tensor
      that an `scf.while` yields to its next round is copied if its memory may not be the loop's own.

    An argument may be overwritten if the program computes a changed copy of it, as in upstream's
    bufferization. `keep-arguments` forbids that, and so does the attribute
    `bufferization.writable = false` for a single argument; the program then copies.

    Operations on tensors must be of the dialects `arith`, `bufferization`, `cf`, `func`, `linalg`,
    `math`, `ml_program`, `scf`, `shape`, `tensor` or `vector`, or implement
    `BufferizableOpInterface`. `ml_program.global_store` is refused, because upstream's conversion
    of it is wrong.
    ```mlir
    func.func @double(%x: tensor<8xf32>) -> tensor<8xf32> {
      %empty = tensor.empty() : tensor<8xf32>
      %sum = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>)
                        outs(%empty : tensor<8xf32>) -> tensor<8xf32>
      return %sum : tensor<8xf32>
    }
    // becomes
    func.func @double(%x: memref<8xf32>, %sum: memref<8xf32> {bufferize.result}) {
      linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%sum : memref<8xf32>)
      return
    }
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-bufferize)' in.mlir`
  }];
  let options = [
    Option<"keepArguments", "keep-arguments", "bool", /*default=*/"false",
           "Never overwrite an argument; copy it where the program changes it">,
    Option<"announce", "announce", "bool", /*default=*/"false",
           "Emit a remark if the module has tensors">,
  ];
  let statistics = [
    Statistic<"numFunctions", "functions", "Functions with tensors, converted">,
    Statistic<"numDropped", "dropped", "Results dropped because they are arguments">,
  ];
}

def MemEraseSpaces : Pass<"mem-erase-spaces", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Move all memrefs to the default memory space";
  let description = [{
    Removes the memory spaces of all types: of values, of functions and of globals. Casts between
    memory spaces disappear. The program then runs on a machine with a single address space, such as
    the host, and computes the same.
    ```mlir
    %x = mem.view %sram[2048] : !mem.arena<1> -> memref<32xf32, 1>
    // becomes
    %x = mem.view %sram[2048] : !mem.arena -> memref<32xf32>
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu},mem-erase-spaces)' in.mlir`
  }];
  let options = [
    Option<"namedOnly", "named-only", "bool", /*default=*/"false",
           "Remove only the spaces that name a level, #mem.space">,
  ];
}

def MemLowerDealloc : Pass<"mem-lower-dealloc", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Cast what is freed to the default memory space";
  let description = [{
    Upstream's lowering of `memref.dealloc` to LLVM passes `free` a pointer in the memory space of
    the operand, which is an error in any space but the default one. This pass inserts the cast that
    upstream inserts after `malloc`, in the other direction.

    `mem-opt --pass-pipeline='builtin.module(mem-lower-dealloc,finalize-memref-to-llvm)' in.mlir`
  }];
}

def MemLowerMpi : Pass<"mem-lower-mpi", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Lower the operations of mpi to calls of the MPI library";
  let description = [{
    Calls the functions of the library by their names in C, in the ABI of OpenMPI, including those
    for requests. Operands are contiguous memrefs of known size, of any rank. Equal operands of a
    reduction are passed as `MPI_IN_PLACE`. Elements without a type in MPI are sent as bytes; they
    cannot be reduced. Communicators must be results of operations of `mpi`, and so must
    requests, which loops, branches and blocks may carry.
    ```mlir
    mpi.allreduce(%a, %b, MPI_SUM, %world) : memref<4x8xf32>, memref<4x8xf32>
    // becomes
    %status = call @MPI_Allreduce(%pa, %pb, %c32, %float, %sum, %comm)
        : (i64, i64, i32, i64, i64, i64) -> i32
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' in.mlir` runs it as well.
  }];
}

def MemShard : Pass<"mem-shard", "::mlir::ModuleOp">, Bufferizes {
  let summary = "From a sharded program to the program of one rank";
  let description = [{
    Propagates the shardings that a program on tensors states, partitions it, and replaces the
    collectives by operations of `mpi`, with upstream's passes. The arguments and results of the
    function are then the parts of one rank. Fails, and names the operation, if one cannot be sharded
    or if tensors would have to be gathered, for which `mpi` has no operation.
    ```mlir
    shard.grid @grid(shape = 2)
    func.func @f(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x4xf32>
    // becomes, if %x is split by columns and %w by rows
    func.func @f(%x: tensor<8x8xf32>, %w: tensor<8x4xf32>) -> tensor<8x4xf32>
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-shard{grid=4},mem-default-pipeline)' examples/sharded/perceptron.mlir`
  }];
  let options = [
    Option<"grid", "grid", "std::string", /*default=*/"""",
           "Shape of the grid of ranks, as in 2x4; default: that of the module's 'shard.grid'">,
  ];
}

def MemNumberSpaces : Pass<"mem-number-spaces", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Replace memory spaces of levels that are no integers by integers";
  let description = [{
    LLVM's address spaces are integers, so other memory spaces cannot be lowered. A level that states
    an integer has that integer. The spaces of the `gpu` dialect have those of NVVM and ROCDL: 1 for
    `global`, 3 for `workgroup`, 5 for `private`. Other levels that state a memory space get the
    smallest positive integers that are free, from the fastest level on; the slowest level gets the
    default memory space. Spaces of no level stay as they are.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu spaces=name},mem-number-spaces)' in.mlir`
  }];
}

def ConvertMemToMemref : Pass<"convert-mem-to-memref", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Lower arenas, views, transfers and the rest of the mem dialect to memref";
  let description = [{
    An arena becomes one `memref.alloc` of bytes, in the memory space of its type, freed where the
    function returns. A view becomes a `memref.view` of it, with a `memref.reinterpret_cast` if the layout requires it. Buffers that
    were never planned become allocations again. Transfers become synchronous copies; or
    `memref.dma_start` and `memref.dma_wait`, with numbered tags that are free again after the wait;
    or calls to the runtime library:
    ```mlir
    func.func private @mem_runtime_begin(i32, index, index, i64) -> i64  // engine, from, to, bytes; a ticket
    func.func private @mem_runtime_wait(i64)
    ```
    The engine is the number of an engine between the levels in `mem.hierarchy`. Transfers that no
    engine serves, that are not dense, or whose size is unknown always become copies in place.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,convert-mem-to-memref)' in.mlir`
  }];
  let options = [
    Option<"transfers", "transfers", "std::string", /*default=*/"\"copy\"",
           "Lowering of transfers: copy, dma or runtime">,
  ];
  let statistics = [
    Statistic<"numArenas", "arenas", "Arenas lowered to allocations">,
    Statistic<"numViews", "views", "Views and descriptors lowered">,
  ];
}

def MemLowerExpandShape : Pass<"mem-lower-expand-shape", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Lower memref.expand_shape with several run-time sizes in a group";
  let description = [{
    Replaces every `memref.expand_shape` that splits a dimension into several of which two or more
    have a size that is known only at run time, with a `memref.reinterpret_cast`. Upstream's
    `expand-strided-metadata` crashes on them. Nothing else changes.
    ```mlir
    %0 = memref.expand_shape %x [[0, 1]] output_shape [%n, %m] : memref<?xf32> into memref<?x?xf32>
    // becomes
    %0 = memref.reinterpret_cast %x to offset: [0], sizes: [%n, %m], strides: [%m, 1]
        : memref<?xf32> to memref<?x?xf32>
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-lower-expand-shape,expand-strided-metadata)' in.mlir`
  }];
  let statistics = [
    Statistic<"numLowered", "lowered", "Operations replaced">,
  ];
}
