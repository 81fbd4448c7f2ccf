//===- Orders.td - The passes that change which operations run when ------===//
//
// Part of Passes.td.
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def MemDeadIterationElimination : Pass<"mem-dead-iteration-elimination", "::mlir::ModuleOp"> {
  let summary = "Remove iterations of linalg operations that compute what is never read";
  let description = [{
    A convolution with a window of one element and a stride of two reads every other row and column of its
    input. The operations that compute the input need not compute the others, and its buffer need not hold
    them. What is read of each buffer is one arithmetic progression of indices for each dimension, from the
    last operation to the first.
    ```mlir
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>],
                    iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%out : memref<8xf32>) {..}
    // becomes
    %a = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>],
                    iterator_types = ["parallel"]} ins(%x : memref<16xf32>) outs(%a : memref<8xf32>) {..}
    linalg.generic {.. (d0) -> (d0) ..} ins(%a : memref<8xf32>) outs(%out : memref<8xf32>) {..}
    ```
    Buffers are allocations that only structured operations access. Convolutions and pooling get other
    strides, and elementwise operations become `linalg.generic`. Other named operations keep their form,
    and what they access. Before the original operations are erased, a check compares both, iteration by
    iteration and element by element.

    `mem-opt --pass-pipeline='builtin.module(mem-dead-iteration-elimination)' in.mlir`
  }];
  let options = [
    Option<"breakIterations", "break", "std::string", /*default=*/"\"\"",
           "Error in what is written, to test its check: short-buffer, other-elements, old-strides">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers with fewer elements">,
    Statistic<"numBytes", "bytes", "Bytes by which they are smaller">,
    Statistic<"numOperations", "operations", "Operations that access them">,
    Statistic<"numIterations", "iterations", "Iterations removed">,
  ];
}

def MemTile : Pass<"mem-tile", "::mlir::ModuleOp"> {
  let summary = "Run groups of operations tile by tile, without whole tensors between them";
  let description = [{
    Consecutive `linalg` operations on memrefs form groups. For each tile of the last result of a
    group, every operation computes only the rows that the tile needs, in a buffer of that many rows.
    Rows that the next tile needs again are kept, or computed again where that takes less memory and at
    most `extra-work` percent more operations. Every element is computed as before. A result that sums up
    what the tiles compute exists as a whole, and every tile adds to it. Operations of the group that do
    not run tile by tile run before the tiles or after them. Loops over tiles, and the tiles at the borders,
    replace the operations. With the targets `peak` and `capacity`, what reads a copy in another order, such as
    reversed weights, reads its source instead, if that exists in any case, and the copy is removed.

    The target `peak` looks for the smallest peak. The target `capacity` divides no more than a peak
    of `capacity` bytes requires. The target `budget` divides no more than it takes for each operation, and
    each group, to access no more than `budget` bytes: buffers that they do not access are on the host, or
    computed again, as mem-offload decides. The target `time` looks for the least time in a hierarchy: windows
    are in a fast level, with the weights that a group reads in every tile as far as there is room. With
    `stream`, rows of whole buffers are copied tile by tile as well, while other tiles are executed: the rows
    that the next tile reads to one of two *stages*, those that the last one has written from another, with
    asynchronous `mem.load` and `mem.store`. Engines of the hierarchy make these copies beside computation. With
    the target `budget`, `stream` does so for buffers that would not fit otherwise; `mem-offload-streams` puts
    these on the host.

    What was written is read back from the IR and checked against the original operations: every
    row that an operation reads is the row of the original, with the same history, and every result
    is complete. The operations of a group have its number as the attribute `mem.group`, and stay
    together when operations are ordered.

    With `compare`, functions keep their tiles only if they cost less with them: the program is planned
    with and without tiles, as mem-assign-levels or, with a `budget`, mem-offload plans, after the passes
    `compare-after`, which are those of the pipeline in between. If a function has no plan within the capacity
    or the budget, with tiles or without, smaller tiles are tried, down to those that take the least memory.
    If there is no plan even then, the function has these tiles if it needs less memory with them, so that
    the error of the planner states the least that has been found.
    With the target `time`, variants with only the groups that save most time, and with `stream`, are compared
    as well; with a `budget`, variants with `stream` are tried if the others do not fit.

    Operations that run tile by tile state what the original ones accessed as the attribute `mem.untiled`,
    for reports.

    `mem-opt --pass-pipeline='builtin.module(mem-tile,mem-default-pipeline)' in.mlir`
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"peak\"",
           "What tiles are chosen for: peak, capacity, budget or time">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes for the program's own tensors, or of the hierarchy's fastest level; default: the "
           "level's own capacity">,
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of the memory hierarchy">,
    Option<"overlap", "overlap", "std::string", /*default=*/"\"auto\"",
           "What happens to rows that several tiles need: keep (from tile to tile), recompute (in each "
           "tile, as far as possible) or auto (what the target is better with)">,
    Option<"extraWork", "extra-work", "int64_t", /*default=*/"10",
           "Largest number of additional operations, in percent of all operations">,
    Option<"stream", "stream", "bool", /*default=*/"false",
           "Whether engines copy rows of whole buffers tile by tile, beside computation (targets time, budget)">,
    Option<"compare", "compare", "bool", /*default=*/"false",
           "Whether to keep tiles only in functions that cost less with them">,
    Option<"compareAfter", "compare-after", "std::string", /*default=*/"\"convert-memref-to-mem\"",
           "Passes that run on both variants before they are planned">,
    Option<"strategy", "strategy", "std::string", /*default=*/"\"auto\"",
           "How both variants are planned: as in mem-plan or, with a hierarchy, in mem-assign-levels">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Minimum alignment of every buffer in bytes, as in these passes">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the hierarchy's device for the program's own tensors; -1: no budget">,
    Option<"narrow", "narrow", "bool", /*default=*/"false",
           "Whether programs that exceed the budget even in tiles are rewritten before, by mem-narrow">,
    Spaces,
    NoaliasArguments,
    Option<"breakTiles", "break", "std::string", /*default=*/"\"\"",
           "Error in tiles, to test their check: short-halo, reverse-order, lost-remainder, wrong-side, "
           "early-reader, late-wait, wrong-takeover, wrong-order, late-read">,
  ];
  let statistics = [
    Statistic<"numGroups", "groups", "Groups of operations that run tile by tile">,
    Statistic<"numTiles", "tiles", "Tiles of all groups">,
    Statistic<"extra", "extra", "Additional operations, in percent of all operations">,
    Statistic<"before", "before", "Estimate of the peak without tiles, in bytes">,
    Statistic<"after", "after", "Estimate of the peak with tiles, in bytes">,
    Statistic<"numRestored", "restored", "Functions that cost no less with tiles, and have none">,
  ];
}

def MemNarrow : Pass<"mem-narrow", "::mlir::ModuleOp"> {
  let summary = "Rewrite what keeps operations from running within a budget, even tile by tile";
  let description = [{
    Changes functions in which an operation accesses more than `budget` bytes of the function's own
    buffers, however `mem-tile` divides it. A buffer that a single operation has computed long before is
    computed again for later readers, which can then be tiled together with that operation; at most
    `extra-work` percent more operations are executed. A result of an operation takes the place of an
    operand that is not used afterwards. Both happens only where fewer bytes are accessed at once with it.

    `mem-opt --pass-pipeline='builtin.module(mem-narrow{budget=30000000},mem-tile{target=budget budget=30000000})' in.mlir`
  }];
  let options = [
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the device for the program's own tensors">,
    Option<"extraWork", "extra-work", "int64_t", /*default=*/"10",
           "Largest number of additional operations, in percent of all operations">,
    Option<"stream", "stream", "bool", /*default=*/"false",
           "Whether the tiles may copy rows of whole buffers from and to the host, as in mem-tile">,
    NoaliasArguments,
  ];
  let statistics = [
    Statistic<"numAgain", "again", "Operations that are executed once more">,
    Statistic<"numInPlace", "in-place", "Results that take the place of an operand">,
    Statistic<"before", "before", "Most bytes accessed at once with tiles, before the rewrites">,
    Statistic<"after", "after", "Most bytes accessed at once with tiles, after the rewrites">,
  ];
}

def MemReorder : Pass<"mem-reorder", "::mlir::ModuleOp"> {
  let summary = "Choose when the operations of a block run, so that fewer bytes are live at once";
  let description = [{
    Inside each block, operations change places where no dependence forbids it. An operation follows
    those whose results it uses, and those that access a byte that it accesses, unless both only read
    it. An operation with regions moves as a whole. Calls, operations with unknown effects,
    asynchronous operations and those that wait for them, and operations on cores keep their places
    among all others. Consecutive operations of one tile group (`mem.group`) move as one. The order of least peak is searched within a bounded effort; the peak is that of
    the bytes of the function's own buffers between their first and their last access, after reuse in
    place.

    A function keeps its order unless the buffers take fewer bytes in the order that has been found, by
    more than `threshold` percent, as `strategy` places them. With a `hierarchy`, the modelled cycles of
    a plan have to be fewer, as mem-assign-levels plans; with a `budget`, the makespan, as mem-offload
    plans. There, orders with few bytes above the capacity of the fastest level, or above the budget,
    are tried as well, and so is the own order with operations that free bytes as early as possible. If no
    order of a function has a plan, it gets the one that needs the fewest bytes.

    What was written is checked: in the IR, no two operations have changed places that the dependence
    analysis does not find independent.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder,mem-plan)' in.mlir`
  }];
  let options = [
    Option<"order", "order", "std::string", /*default=*/"\"auto\"",
           "Order of operations: auto (the one that is found) or keep (that of the program)">,
    Option<"threshold", "threshold", "int64_t", /*default=*/"1",
           "By how many percent bytes or cycles must be fewer for the order to change, from 0 to 100">,
    Option<"strategy", "strategy", "std::string", /*default=*/"\"auto\"",
           "How plans are made of orders: as in mem-plan or, with a hierarchy, in mem-assign-levels">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Minimum alignment of every buffer in bytes, as in these passes">,
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of the memory hierarchy that is planned for; default: one level">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes of the hierarchy's fastest level to use, at most its capacity; -1: all of them">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the hierarchy's device for the program's own tensors; -1: no budget">,
    Spaces,
    NoaliasArguments,
    Option<"breakOrder", "break", "std::string", /*default=*/"\"\"",
           "Error in orders, to test their check: value, memory, barrier, peak">,
  ];
  let statistics = [
    Statistic<"numSteps", "steps", "Operations that were ordered">,
    Statistic<"numBlocks", "blocks", "Blocks with another order">,
    Statistic<"before", "before", "Largest peak of a block in the order of the program, in bytes">,
    Statistic<"after", "after", "Largest peak of a block as ordered, in bytes">,
    Statistic<"bound", "bound", "Lower bound on that peak for all orders, in bytes">,
  ];
}

def MemOverlapRequests : Pass<"mem-overlap-requests", "::mlir::ModuleOp"> {
  let summary = "Let messages between ranks travel while a rank computes";
  let description = [{
    Blocking sends and receives (`mpi.send`, `mpi.recv`) become requests, and each request of a block is
    started as early and waited for as late as its bytes and its operands allow, if that lets it travel
    beside computation or beside other messages.

    All operations that communicate start in the order of the program, so the same messages match.
    Waits move behind other starts, never in front of them: a rank that has started more needs less from
    the others, and no deadlock is introduced. Nothing moves past calls, operations with unknown effects
    or `mpi.finalize`, and nothing moves between blocks. Operations with a used status stay as they are. So
    do all messages of a module with a receive from any rank: its source is a negative constant; a source
    that is computed at run time is taken to be a rank. So does a message whose request something else carries
    to its wait, such as a loop, a select or a call, with a remark. Reductions block; `mpi` has no others.

    A request keeps its bytes. With `peak=keep`, no message moves so far that more bytes of the function's
    own buffers are live at once.

    ```mlir
    mpi.send(%a, %tag, %next, %world) : memref<16xf32>, i32, i32
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    ```
    becomes
    ```mlir
    %request = mpi.isend(%a, %tag, %next, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    mpi.wait(%request) : !mpi.request
    ```

    What was planned is checked before it is written: no two operations have changed places that have to
    stay in order.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-overlap-requests,mem-plan)' in.mlir`
  }];
  let options = [
    Option<"peak", "peak", "std::string", /*default=*/"\"keep\"",
           "Bytes that are live at once: keep (no more than before) or any">,
    NoaliasArguments,
    Option<"breakOverlap", "break", "std::string", /*default=*/"\"\"",
           "Error in the result, to test its check: early-start, early-wait, late-wait, order, value">,
  ];
  let statistics = [
    Statistic<"numRequests", "requests", "Blocking operations that became requests">,
    Statistic<"numMoved", "moved", "Messages that travel beside other operations than before">,
  ];
}
