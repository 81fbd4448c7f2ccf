//===- Passes.td - The passes of mem-opt, their options and statistics ----===//
//
// Single source of truth, together with Conversions.td, Orders.td, Pipelines.td and Options.td: the build
// generates the Rust option structs and the table that the pass class reads from them, and `make docs`
// generates docs/Passes.md.
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"
include "Conversions.td"
include "Pipelines.td"
include "Options.td"

def NoaliasArguments : Option<"noaliasArguments", "noalias-arguments", "bool", /*default=*/"false",
    "Assert that no two arguments of a function share a byte, whatever their attributes state">;

def Spaces : Option<"spaces", "spaces", "std::string", /*default=*/"\"keep\"",
    "Memory spaces of placed tensors: keep (those that the hierarchy states for its levels), name "
    "(#mem.space), none or number">;

include "Orders.td"

def MemAssignLevels : Pass<"mem-assign-levels", "::mlir::ModuleOp"> {
  let summary = "Assign every tensor to levels of a memory hierarchy";
  let description = [{
    Decides for each buffer, argument and constant in which level of the memory hierarchy, and at
    which address, it lives during each operation. Data that is needed is in the fastest level with
    room for it, as long as the copies cost less than they save. A checker independent of the
    strategies verifies the plan before it is written: a `mem.arena` for each level, a `mem.view`
    with the name of the tensor for each place, and `mem.load`, `mem.store` and `mem.swap` for
    copies.

    Arguments and globals live in the level of their memory space or, without a memory space, in the
    slowest level. Results are in their home level when the function returns. If the hierarchy has
    engines, copies overlap with computation: they are issued as early and awaited as late as
    possible. Arguments are copied only if they are known not to alias (`mem.noalias`,
    `llvm.noalias`, `bufferize.result`, or the option). A function that other functions of the
    module call keeps its own tensors in the slowest level: inline it first.

    The hierarchy is the module's (`mem.hierarchy`) or the option's: the name of a hierarchy that
    ships with `mem-opt` (`microcontroller`, `npu`, `gpu`,
    `npu-3`, `gpu-workgroup`), or a file with a module that
    has a hierarchy. The pass attaches the hierarchy to the module.

    The types of arenas, of places and of everything that is made of them, up to the signatures of
    private functions, have the memory space of the level (`spaces`). Types of storage that the plan
    does not move stay as they are.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy; default: the module's">,
    Option<"strategy", "strategy", "std::string", /*default=*/"\"auto\"",
           "Planning strategy: auto, exact (small programs without loops), initial, "
           "least-recently-used, farthest-next-use, global or local-search">,
    Option<"segment", "segment", "int64_t", /*default=*/"1",
           "Steps that local-search enumerates exhaustively, at least 1; exponential run time">,
    Option<"model", "model", "std::string", /*default=*/"\"serial\"",
           "Cost model: serial (all accesses and copies one after the other) or overlapped (copies "
           "on the engines of the hierarchy, in parallel with computation)">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes of the fastest level to use, at most its capacity; -1: all of them">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Minimum alignment of every place in bytes, a power of two up to 1 MiB; 0: that of "
           "tensors and levels">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File for a report on the plan: a space-time diagram of the longest function (.svg), a "
           "page with the plan before and after (.html), the plan with explanations (.json), or "
           "its schedule for Perfetto (.trace)">,
    Option<"explain", "explain", "int64_t", /*default=*/"0",
           "Number of remarks per function: why tensors are not in faster levels and which "
           "transfers are waited for, most expensive first; each level's contents at its fullest">,
    Spaces,
    Option<"dump", "dump", "std::string", /*default=*/"\"\"",
           "File for the problems of all functions, for stand-alone mem-plan ('-': standard output)">,
    NoaliasArguments,
  ];
  let statistics = [
    Statistic<"numPlacements", "placements", "Places of tensors, including their homes">,
    Statistic<"numTransfers", "transfers", "Copies between places">,
    Statistic<"numBytes", "bytes", "Bytes copied, counting each copy once">,
    Statistic<"traffic", "traffic", "Bytes that accesses and copies read from and write to the slowest level">,
    Statistic<"cost", "cost", "Modelled cycles of all accesses, copies and computations">,
    Statistic<"makespan", "makespan", "Modelled cycles with copies overlapping computation">,
    Statistic<"lowerBound", "lower-bound", "Lower bound on the serial cost, in cycles; 0: unknown">,
  ];
}

def MemInline : Pass<"mem-inline", "::mlir::ModuleOp">, AcceptsTensors {
  let summary = "Inline calls";
  let description = [{
    Replaces every `func.call` to a function of the module with a copy of its body, callers first,
    and erases private functions that are no longer referenced. Planning over several levels
    requires inlining, because a callee can use only the slowest level.

    A call stays if the callee is recursive or has no body, if a dialect of an operation in the
    callee does not allow inlining (unregistered operations never do), if the callee has several
    blocks and the call is in a region that may have only one, or if the module would grow by more
    than `max-operations` operations. A remark reports the last case: the size of an inlined call
    graph can be exponential in the number of its functions. Nothing else changes, unlike in
    upstream's `inline`, which canonicalizes every function several times. The run time is linear in
    the number of operations after inlining.
    ```mlir
    func.func private @square(%a: memref<8xf32>, %b: memref<8xf32>) {
      linalg.square ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
      return
    }
    func.call @square(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
    // becomes
    linalg.square ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-inline)' in.mlir`
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"20000",
           "Maximum number of operations by which the module may grow">,
  ];
  let statistics = [
    Statistic<"numInlined", "inlined", "Calls replaced with the callee's body">,
    Statistic<"numKept", "kept", "Calls to functions of the module that were not inlined">,
    Statistic<"numErased", "erased", "Private functions erased">,
  ];
}

def MemOffload : Pass<"mem-offload", "::mlir::ModuleOp"> {
  let summary = "Fit programs into a device's memory by swapping to the host and recomputation";
  let description = [{
    Every operation finds its operands in the fastest level of the hierarchy, the device, where the
    program's own tensors get at most `budget` bytes. Tensors that are not needed for a while are
    evicted to the next level, the host, and prefetched before their next use, on the copy engines
    and in parallel with computation. Or they are dropped, and the operation that wrote them is
    repeated before their next use (`mem.recompute`), after those that wrote its missing operands.
    The policy `auto` chooses by the schedule of the whole program.

    Arguments, results and globals stay in place on the device, in addition to the budget. The plan
    is checked, written and compared with the original program as in `mem-assign-levels`.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=1000000})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy; default: the module's">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the device for the program's own tensors; -1: all bytes that arguments leave">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "How to handle tensors that do not fit: auto, swap or recompute (where possible); for "
           "comparison: checkpoints, farthest-next-use">,
    Option<"accesses", "accesses", "std::string", /*default=*/"\"\"",
           "Access table (mem-record-accesses, mem-run --trace) that replaces modelled times; "
           "default: the text in the module's attribute mem.access_table">,
    Option<"stay", "stay", "std::string", /*default=*/"\"\"",
           "Comma-separated names of tensors that stay on the device from first to last use">,
    Option<"leave", "leave", "std::string", /*default=*/"\"\"",
           "Comma-separated names of tensors that are on the host whenever they are not in use">,
    Option<"keep", "keep", "std::string", /*default=*/"\"\"",
           "Comma-separated names of tensors that are not recomputed">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File for a report on the plan, as in mem-assign-levels: .svg, .html, .json or .trace">,
    Option<"explain", "explain", "int64_t", /*default=*/"0",
           "Number of remarks per function, as in mem-assign-levels">,
    Spaces,
    Option<"dump", "dump", "std::string", /*default=*/"\"\"",
           "File for the problems of all functions, for stand-alone mem-plan ('-': standard output)">,
    NoaliasArguments,
  ];
  let statistics = [
    Statistic<"numTransfers", "transfers", "Copies between device and host">,
    Statistic<"numBytes", "bytes", "Bytes copied, counting each copy once">,
    Statistic<"numRecomputed", "recomputed", "Operations repeated">,
    Statistic<"peak", "peak", "Bytes of the largest arena on the device">,
    Statistic<"widest", "widest", "Device bytes that the widest step needs after all evictions">,
    Statistic<"ideal", "ideal", "Makespan without a memory limit, in modelled cycles">,
    Statistic<"least", "least", "Lower bound on the makespan with this budget, in modelled cycles">,
    Statistic<"makespan", "makespan", "Makespan of this plan, in modelled cycles">,
  ];
}

def MemOffloadStreams : Pass<"mem-offload-streams", "::mlir::ModuleOp"> {
  let summary = "Keep buffers on the host whose parts a program copies to the device itself";
  let description = [{
    `mem.load` and `mem.store` between two buffers copy rows for tiles (`mem-tile{target=budget stream=true}`).
    The source of such a load, and the target of such a store, are on the host from now on, the second level of
    the hierarchy: an allocation in its memory space takes the place of the buffer. Where other operations
    access the buffer, they access another one on the device, and the whole content is copied before that, or after
    it. `mem-offload` plans the device only, and counts nothing on the host.

    A buffer stays where it is if something else than `linalg` operations, copies, loads and stores accesses it,
    or if an operation contains accesses of both kinds.

    `mem-opt --pass-pipeline='builtin.module(mem-tile{target=budget budget=200000 stream=true},mem-offload-streams{hierarchy=gpu},convert-memref-to-mem,mem-offload{hierarchy=gpu budget=200000})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy; default: the module's">,
    Option<"breakCopies", "break", "std::string", /*default=*/"\"\"",
           "Error in the copies, to test the validation: lost-store, lost-load">,
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Buffers that are on the host">,
    Statistic<"numBytes", "bytes", "Bytes of these buffers">,
  ];
}

def MemPrintTradeoff : Pass<"mem-print-tradeoff", "::mlir::ModuleOp"> {
  let summary = "Print the makespan of a function for decreasing device budgets";
  let description = [{
    Plans a function as `mem-offload` does, for budgets from the bytes of its widest step to its
    peak without a limit. For each budget, the pass prints the modelled time and its lower bound,
    the bytes copied, and the number of repeated operations: as text, as a picture if the output
    ends in `.svg`, or as JSON if it ends in `.json`. The module does not change.
    ```text
    @main: 363.3 MiB without a limit, in 9855920 cycles; its widest step needs 64.0 MiB
          budget  of peak        cycles  of ideal  at least        copied  repeated
       192664371    50.6%      10502730     1.066     1.050      44040192        44
    ```
    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-print-tradeoff{hierarchy=gpu})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy, a device and its host; default: the module's">,
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "Name of the function; default: the only one, or main">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"", "As in mem-offload">,
    Option<"points", "points", "int64_t", /*default=*/"9", "Number of budgets, at least 2">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File (.svg: picture, .json: JSON) or '-' for standard output; default: standard error">,
    NoaliasArguments,
  ];
}

def MemRecordAccesses : Pass<"mem-record-accesses", "::mlir::ModuleOp"> {
  let summary = "Write a table of tensor accesses over time, according to the cost model";
  let description = [{
    Writes the access table of a function, as `mem-offload{accesses=}` reads it: each access to each
    of the function's own tensors, with its step and its time in cycles. With a budget, the table is
    that of passive mode: if a tensor does not fit, the least recently accessed tensors are evicted
    to the host, and return when they are accessed. The table contains these copies, but no access
    time includes the time of a copy. `mem-run --trace` measures the same table at run time.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-record-accesses{hierarchy=gpu output=main.json})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy, a device and its host; default: the module's">,
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "Name of the function; default: the only one, or main">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the device for the function's own tensors, in passive mode; -1: as needed">,
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "Output file; '-': standard output">,
    NoaliasArguments,
  ];
}

def MemPlan : Pass<"mem-plan", "::mlir::ModuleOp"> {
  let summary = "Assign every buffer an address in one arena";
  let description = [{
    Extracts the lifetimes of every function's buffers, across loops, branches and calls, and places
    the buffers with the chosen strategy. A checker independent of the strategies verifies the plan
    before it is written: a `mem.arena` at the start of the function, and a `mem.view` of it in
    place of each `mem.buffer`. A private function that is only called directly gets a slice of its
    callers' arenas that is live during the call. Public and recursive functions have their own.

    With `arena=argument`, public functions receive their arena from their callers, too, as the last
    argument. For each such function `@f`, a function `@f_arena` returns the required size and
    alignment of the arena. If functions of the module call `@f`, its arena is a slice of theirs.

    If sizes are known only at run time, the pass plans the order of addresses, and arithmetic
    before the arena computes the offsets and the size of the arena. The plan is correct for all
    sizes, and needs no comparison if all are proportional. Such functions have their arena inside.

    Buffers that one operation accesses begin at different offsets within a page where that does not raise
    the peak (`spread=free`): otherwise, loads of one wait for stores to another. `spread=4KiB` lets an arena grow
    by up to 4 KiB for that. Arguments are assumed to begin where the arena does.

    If a loop writes the next instance of a buffer while the previous one is still read, the buffer
    gets several slots, and a `mem.rotate` selects a free slot in each iteration.
    ```mlir
    %0 = mem.buffer {name = "a"} : !mem.buffer<128>
    // becomes
    %arena = mem.arena "arena", 5120 {alignment = 64 : i64} : !mem.arena
    %0 = mem.view %arena[2048] {name = "a"} : !mem.arena -> !mem.buffer<128>
    ```
    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan{strategy=auto})' in.mlir`
  }];
  let options = [
    Option<"strategy", "strategy", "std::string", /*default=*/"\"auto\"",
           "Planning strategy: auto, exact, first-fit, genetic, greedy-by-conflict, "
           "greedy-by-size, lifetime-queue, tightest-first">,
    Option<"level", "level", "std::string", /*default=*/"\"\"",
           "Level of the arena; default: the slowest in mem.hierarchy, or 'arena' without one">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes that the arena may have, if fewer than its level has; default: all of them">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Minimum alignment of every buffer in bytes, a power of two up to 1 MiB">,
    Option<"arena", "arena", "std::string", /*default=*/"\"inside\"",
           "Arena of externally callable functions: inside, or argument (from their callers)">,
    Option<"spread", "spread", "std::string", /*default=*/"\"free\"",
           "Whether buffers that one operation accesses begin at different offsets within a page: off, free (as far "
           "as no arena grows), or the number of bytes by which an arena may grow for it">,
    Spaces,
    Option<"dump", "dump", "std::string", /*default=*/"\"\"",
           "File for the extracted problem, for stand-alone mem-plan ('-': standard output); run-time sizes are "
           "1 TiB">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers placed">,
    Statistic<"numBytes", "bytes-before", "Sum of their sizes in bytes">,
    Statistic<"peak", "peak", "Bytes of the largest arena">,
    Statistic<"lowerBound", "lower-bound", "Largest sum of sizes live at once, in that function">,
    Statistic<"numRotations", "rotations", "Buffers that need more than one slot in a loop">,
  ];
}

def MemPrintPlan : Pass<"mem-print-plan", "::mlir::ModuleOp"> {
  let summary = "Print the place of every buffer, as a table, JSON or a page";
  let description = [{
    Reads the plan from the IR: the arenas, the views of them, and the steps at which the bytes of
    each view are live. The pass prints the peak and the lower bound, the largest sum of sizes live
    at one step. If sizes are known only at run time, the plan is printed for one common value.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan{format=json output=plan.json})' in.mlir`
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"table\"",
           "table, summary, json, csv (for MiniMalloc's tools and mem-plan), html, svg, trace (for "
           "Perfetto) or conflicts (a matrix)">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File or '-' (standard output); default: standard error, as upstream printing passes">,
    Option<"unknown", "unknown", "int64_t", /*default=*/"1",
           "Value to assume for sizes known only at run time">,
  ];
}

def MemBreakPlan : Pass<"mem-break-plan", "::mlir::ModuleOp"> {
  let summary = "Introduce a defect into a plan, to test plan checkers";
  let description = [{
    Breaks a correct plan in one way that is guaranteed to matter: a view moves onto bytes that are
    still needed, an arena or a slice is too small, a rotation avoids nothing, a transfer is not
    awaited, a request of `mpi` is not, an operation is missing. Every plan checker has to detect the defect. If the program
    offers no place for the chosen kind, it stays unchanged, with a remark.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,mem-break-plan{kind=last-byte})' in.mlir`
  }];
  let options = [
    Option<"kind", "kind", "std::string", /*default=*/"\"onto-another\"",
           "Kind of defect; an unknown kind lists the known ones">,
    Option<"seed", "seed", "int64_t", /*default=*/"0",
           "Selects one of the places where the defect is possible">,
  ];
  let statistics = [
    Statistic<"numBroken", "broken", "Whether a defect was introduced">,
  ];
}

def MemVerifyPlan : Pass<"mem-verify-plan", "::mlir::ModuleOp"> {
  let summary = "Check that planned programs read the same as with separate memory for each buffer";
  let description = [{
    Uses the IR alone: arenas, views, slices and rotations, and the operations that read and write
    through them. Every view lies within its arena and has the alignment that it requires, callees
    receive as much memory as they need, and no arena is larger than its level. Each operation reads
    what was written for it: on every path, the bytes of a view are those last written through it.
    No other buffer, other instance of the same buffer, or other core has overwritten them.

    Views with the same name are places of one tensor, and so is the argument with that `mem.name`,
    or the global of that name after an `@`. Transfers between places preserve the tensor. Other
    operations change it: its other places become stale and must not be read. Both ends of a
    transfer have the same layout and no common byte, and the transfer locks its bytes until it is
    awaited. A swap leaves its source undefined. An operation with the attribute `mem.recompute`
    repeats an equal operation whose operands have not changed since, through any alias. Callees
    find globals up to date, and make other places of the globals that they write stale. When a
    function returns, its arguments and globals are up to date, and no transfer is in flight. No
    operation overwrites an operand, unless both are exactly the same bytes and the operation is
    known to read each element before writing it.

    The planned program has to equal the program before planning, if that is given: in globals,
    nested modules and attributes, and in functions, operation by operation, except for places,
    transfers between places of one tensor, and recomputation.

    A violation is an error at the operation that would read the wrong bytes, and names both
    buffers. Offsets and sizes known only at run time are checked for several example values.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,mem-verify-plan)' in.mlir`
  }];
  let options = [
    Option<"original", "original", "std::string", /*default=*/"",
           "File with the program before planning">,
    Option<"noaliasArguments", "noalias-arguments", "bool", /*default=*/"false",
           "Accept that the plan asserts that no two arguments share a byte">,
  ];
  let statistics = [
    Statistic<"numFunctions", "functions", "Functions with a plan">,
    Statistic<"numViews", "views", "Views and slices in functions with a plan">,
  ];
}

def MemSnapshot : Pass<"mem-snapshot", "::mlir::ModuleOp"> {
  let summary = "Record what a module computes, for mem-validate";
  let description = [{
    Does not change the module.
    `mem-opt --pass-pipeline='builtin.module(mem-snapshot,cse,mem-validate)' in.mlir`
  }];
}

def MemValidate : Pass<"mem-validate", "::mlir::ModuleOp"> {
  let summary = "Check that a module computes the same as at mem-snapshot";
  let description = [{
    Translation validation: the program at `mem-snapshot`, or in the file `original`, and the
    current program take the same decisions, make the same calls, and leave the same bytes in
    memory. A difference is an error that names the operations that computed the differing values.
    So is an access that races with a DMA or with a transfer of the runtime library, and one to
    storage that has been freed. A function that cannot be followed causes a warning.
    `docs/Trust.md` states the guarantees.
    `mem-opt --pass-pipeline='builtin.module(mem-snapshot,cse,mem-validate)' in.mlir`
  }];
  let options = [NoaliasArguments,
    Option<"original", "original", "std::string", /*default=*/"", "File with the program to compare with">];
  let statistics = [
    Statistic<"numEqual", "equal", "Functions that compute the same">,
    Statistic<"numUnknown", "unknown", "Functions that were not validated">,
  ];
}

def MemPrintDependence : Pass<"mem-print-dependence", "::mlir::ModuleOp"> {
  let summary = "Print def-use and use-def chains over memory, byte by byte";
  let description = [{
    Prints, for each use, the definitions that may have written its bytes last, on some path; for
    each definition, its uses, its dead bytes, and the definitions that it overwrites, each with all
    bytes that have been overwritten by then (the kill set); and for each block where different
    states meet, the bytes in which they differ.

    Operations are numbered in program order, `s0`, `s1`, …; byte ranges are half-open; a question
    mark indicates that only some of the bytes are touched. `undefined` bytes have not been written,
    `entry` bytes come from before the function, and `outside` stands for readers after it.
    ```text
    s3 mem.kernel
      use a[0, 32) <- s1 a[16, 32), s2 a[0, 16)
      define b[0, 32) -> s4; dead [16, 32)
        kills s0 [0, 32)
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-print-dependence)' in.mlir`
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"text\"",
           "Output format: text, or program (the one that the analysis works on)">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File or '-' (standard output); default: standard error, as upstream printing passes">,
    NoaliasArguments,
  ];
}

def MemAnnotateDependence : Pass<"mem-annotate-dependence", "::mlir::ModuleOp"> {
  let summary = "Attach def-use chains to operations as attributes";
  let description = [{
    Every operation that reads or writes memory gets an attribute `mem.accesses`, an array with a
    dictionary for each access: its `id`, unique in the function; the `operand` through which it
    accesses memory, if any; its `kind`, `"use"` or `"define"`; the `bytes` that it may touch,
    relative to the start of the viewed storage; and `exact` if it always touches all of them.

    A use has its `sources`: each with its `buffer`, the `bytes` in the buffer, and the `id` of the
    definition, or `undefined`, or `entry` for contents from before the function. A definition has
    its `readers`, as ids; `dead` if it has no reader inside or outside the function, or else its
    dead bytes, as `dead_bytes`; and its `kills`: ids of definitions, each with all of its `bytes`
    that have been overwritten by then. Functions get `mem.joins`, the phis.

    Byte ranges are half-open pairs of start and end; an end of -1 denotes the end of the buffer.
    Existing annotations are replaced. Passes that change the program invalidate them.

    `mem-opt --pass-pipeline='builtin.module(mem-annotate-dependence)' in.mlir`
  }];
  let options = [
    Option<"clear", "clear", "bool", /*default=*/"false", "Only remove annotations">,
    NoaliasArguments,
  ];
}

def MemCheckReads : Pass<"mem-check-reads", "::mlir::ModuleOp"> {
  let summary = "Warn about reads of bytes that no operation has written";
  let description = [{
    Emits a warning at each operation that is guaranteed to read bytes that no path to it has
    written, with a note at the allocation. Bytes that are written on some path are not reported.

    `mem-opt --pass-pipeline='builtin.module(mem-check-reads)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numReads", "reads", "Operands that read undefined bytes">,
  ];
}

def MemDeadStoreElimination : Pass<"mem-dead-store-elimination", "::mlir::ModuleOp"> {
  let summary = "Remove dead stores";
  let description = [{
    Removes operations that only write, if no byte that they may write is read before it is
    overwritten, on any path, by the program or later users of its buffers. Removes stores of values
    that are already there, and unused buffers. Fills and copies lose dead rows at either end.
    ```mlir
    linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
    memref.copy %b, %a : memref<8xf32> to memref<8xf32>
    // becomes
    memref.copy %b, %a : memref<8xf32> to memref<8xf32>
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-dead-store-elimination)' in.mlir`
  }];
  let options = [NoaliasArguments, Verify];
  let statistics = [
    Statistic<"numWrites", "writes", "Operations removed">,
    Statistic<"numCopies", "copies", "Copies among the removed operations">,
    Statistic<"numBytes", "bytes", "Bytes no longer written, counting each operation once">,
    Statistic<"numShrunk", "shrunk", "Operations that write less than before">,
    Statistic<"numBuffers", "buffers", "Buffers removed">,
  ];
}

def MemForwardStores : Pass<"mem-forward-stores", "::mlir::ModuleOp"> {
  let summary = "Forward stored values to loads, and sources of copies to readers";
  let description = [{
    A load becomes the stored value if every path comes from a store of that value, and a load from
    memory filled with one value becomes that value. So does a load from a constant global if all of
    its elements are equal or the indices are constant. Operations that read the target of a copy
    read its source instead, if the source has not changed since and all readers of the copy can do
    so; `mem-dead-store-elimination` then removes the copy. Works across blocks and out of loops.
    ```mlir
    memref.store %v, %a[%i] : memref<8xf32>
    %x = memref.load %a[%i] : memref<8xf32>   // %v from here on
    ```
    `mem-opt --pass-pipeline='builtin.module(mem-forward-stores,mem-dead-store-elimination)' in.mlir`
  }];
  let options = [NoaliasArguments, Verify];
  let statistics = [
    Statistic<"numLoads", "loads", "Loads replaced with values">,
    Statistic<"numOperands", "operands", "Operands that now read the source of a copy">,
  ];
}

def MemCse : Pass<"mem-cse", "::mlir::ModuleOp"> {
  let summary = "Eliminate redundant loads and computations";
  let description = [{
    Replaces a load with the value of an earlier load from the same location, if no operation has
    written there in between. Removes an operation without other effects if an earlier operation
    that dominates it has computed the same result, from the same operands with the same contents,
    and the target still holds it. If the earlier result is in another buffer that is read later
    anyway, a copy replaces the operation, and readers of the copy read the original where possible.
    Unlike in upstream's `cse`, writes to other bytes in between do no harm.

    `mem-opt --pass-pipeline='builtin.module(mem-cse)' in.mlir`
  }];
  let options = [NoaliasArguments, Verify];
  let statistics = [
    Statistic<"numLoads", "loads", "Loads removed">,
    Statistic<"numComputations", "computations", "Redundant operations removed">,
  ];
}

def MemRemoveCopies : Pass<"mem-remove-copies", "::mlir::ModuleOp"> {
  let summary = "Compute values directly in the target of a copy";
  let description = [{
    Removes a `memref.copy` or `linalg.copy` from a separate `mem.buffer` if source and target are
    never needed at the same time: no operation touches the target's bytes between the first access
    to the source and the copy, and none changes them between the copy and the last access to the
    source. Descriptors of the source become descriptors of the target, with the target's strides. A
    fill of the target in between, as for padding, moves before the first access.

    The buffers whose lifetimes grow may be the larger ones. A copy therefore stays if more bytes
    would be live at once than now are at any point of the function, or if the plan of `mem-plan`
    would have a higher peak; the plan is made only for functions with up to 1000 buffers.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' in.mlir`
  }];
  let options = [NoaliasArguments, Verify];
  let statistics = [
    Statistic<"numCopies", "copies", "Copies removed">,
    Statistic<"numBytes", "bytes", "Bytes no longer copied">,
    Statistic<"numKept", "kept", "Copies kept because the peak would rise">,
  ];
}

def MemSplitBuffers : Pass<"mem-split-buffers", "::mlir::ModuleOp"> {
  let summary = "Split buffers with unrelated contents";
  let description = [{
    A `mem.buffer` with unrelated contents, one after the other or side by side, becomes several
    buffers, one for each set of accesses that def-use chains connect, as large as the bytes that
    they touch. Each of the new buffers can be placed independently. Contents that are live at the
    same time and whose bytes interleave stay together. Bytes that are never accessed are removed.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-split-buffers)' in.mlir`
  }];
  let options = [NoaliasArguments, Verify];
  let statistics = [
    Statistic<"numSplit", "split", "Buffers that were split">,
    Statistic<"numNew", "new", "Buffers added">,
    Statistic<"numBytes", "bytes", "Bytes by which buffers shrank that were not split">,
  ];
}
