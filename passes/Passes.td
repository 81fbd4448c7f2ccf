//===- Passes.td - The passes of mem-opt, their options and statistics ----===//
//
// The only place where they are declared: the build generates the Rust option structs, the table
// the pass class reads, and docs/Passes.md from here.
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def NoaliasArguments : Option<"noaliasArguments", "noalias-arguments", "bool", /*default=*/"false",
    "No two arguments of a function share a byte, whatever their attributes say">;

def ConvertMemrefToMem : Pass<"convert-memref-to-mem", "::mlir::ModuleOp"> {
  let summary = "Turn memref allocations and their views into buffers and descriptors";
  let description = [{
    Every `memref.alloc` and `memref.alloca` whose address stays inside the function becomes a `mem.buffer`; what is a fixed
    range of its bytes (the whole, a `memref.subview`, `expand_shape`, `collapse_shape`, `cast`, `reinterpret_cast`, `view` with
    constant parameters) becomes a `mem.descriptor`. Views whose offsets are known only at run time stay what they are, views of
    a descriptor. Deallocations of converted buffers go away. Function arguments get their role, `mem.role`: written through or
    not.

    An allocation whose size is known only at run time becomes a buffer of the largest size that it can have, if bounds of its
    dimensions are known (those of the tiles of a loop, say); otherwise a `!mem.buffer<?>` that is told its size, if that can be
    computed before the first buffer is needed. A `memref.view` gives it its shape.

    What cannot be converted stays as it is, correct, and a remark says why: a size that is computed too late, a layout that is
    not the identity, an element type of unknown size, an address that is returned, stored, turned into a number or handed to
    unknown code.

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
           "Least alignment of every buffer in bytes, a power of two up to 1 MiB; 0: what the "
           "allocation and its element type ask for">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Allocations converted to buffers">,
    Statistic<"numBytes", "bytes", "Sum of the sizes of the converted buffers in bytes">,
    Statistic<"numDescriptors", "descriptors", "Views converted to descriptors">,
    Statistic<"numDeallocations", "deallocations", "Deallocations removed">,
    Statistic<"numKept", "kept", "Allocations left as they are">,
  ];
}

def MemAssignLevels : Pass<"mem-assign-levels", "::mlir::ModuleOp"> {
  let summary = "Give every tensor its places in a hierarchy of memories";
  let description = [{
    Decides for each buffer, argument and constant in which level of the memory hierarchy it is while each operation runs, and
    at which address, such that data that is needed is in the fastest level that has room for it, and what the copies cost is
    less than what they save. The plan is checked by code that knows no strategy, and only then written: a `mem.arena` for each
    level, a `mem.view` for each place, with the name of its tensor, and `mem.load`, `mem.store` and `mem.swap` in between.

    Arguments and globals live where their memory space says, else in the slowest level, and results are home when the function
    returns. If the hierarchy has engines, copies run beside the computation: they begin as early as they can, and are waited
    for as late as they can. Copies of arguments are only made if they are known not to share bytes (`mem.noalias`,
    `llvm.noalias`, `bufferize.result`, or the option). A function that others of the module call has what is its own in the
    slowest level: inline it first.

    The hierarchy is that of the module (`mem.hierarchy`), or the option: the name of one that comes with
    `mem-opt` (`microcontroller`, `npu`, `gpu`, `npu-3`), or a file with a module that has one. The module has it
    from then on.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy; default: the module's">,
    Option<"strategy", "strategy", "std::string", /*default=*/"\"auto\"",
           "How to plan: auto, exact (small programs without loops), initial, least-recently-used, farthest-next-use, global or local-search">,
    Option<"segment", "segment", "int64_t", /*default=*/"1",
           "Steps that local-search tries all combinations in, at least 1; what it takes grows exponentially">,
    Option<"model", "model", "std::string", /*default=*/"\"serial\"",
           "What plans cost: serial, all accesses and copies one after the other; or overlapped, copies beside the "
           "computation on the engines of the hierarchy">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes of the fastest level to use, no more than it has; -1: all of them">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Least alignment of every place in bytes, a power of two up to 1 MiB; 0: what tensors and "
           "levels ask for">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File to write about the plan: a space-time diagram (.svg, of the longest function), a page with diagrams "
           "before and after (.html), the plan with explanations (.json), or its schedule for Perfetto (.trace)">,
    Option<"explain", "explain", "int64_t", /*default=*/"0",
           "How many remarks to emit in each function: why tensors are not in faster levels, and what is waited for, "
           "the most expensive first; and what is in each level where it is fullest">,
    NoaliasArguments,
  ];
  let statistics = [
    Statistic<"numPlacements", "placements", "Places of tensors, their homes among them">,
    Statistic<"numTransfers", "transfers", "Copies between them">,
    Statistic<"numBytes", "bytes", "Bytes that are copied, each copy counted once">,
    Statistic<"cost", "cost", "Modelled cycles of all accesses, copies and computations">,
    Statistic<"makespan", "makespan", "Modelled cycles with copies beside the computation">,
    Statistic<"lowerBound", "lower-bound", "No plan costs less, one thing after the other; 0: not known">,
  ];
}

def MemInline : Pass<"mem-inline", "::mlir::ModuleOp"> {
  let summary = "Put the bodies of functions in the place of calls";
  let description = [{
    Replaces every `func.call` of a function of the module by a copy of its body, callers first, and erases private functions
    that nothing mentions any more. Planning over several levels needs that: what is called has no levels of its own but the
    slowest.

    A call stays what it is if the callee is recursive or has no body, if a dialect of an operation in the callee does not allow
    inlining, as operations that are not registered never do, if the callee has several blocks and the call is where only one
    may be, or if the module would grow by more than `max-operations` operations. A remark says so in the last case; the number
    of operations of inlined call graphs can be exponential in that of their functions. Nothing else changes, unlike in
    upstream's `inline`, which canonicalizes every function several times.

    Linear in the operations that are there afterwards.

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
           "Most operations by which the module may grow">,
  ];
  let statistics = [
    Statistic<"numInlined", "inlined", "Calls replaced by a body">,
    Statistic<"numKept", "kept", "Calls of functions of the module left as they are">,
    Statistic<"numErased", "erased", "Private functions erased">,
  ];
}

def MemOffload : Pass<"mem-offload", "::mlir::ModuleOp"> {
  let summary = "Run programs that need more than the device has: copy to the host, or compute again";
  let description = [{
    Every operation finds its operands in the fastest level of the hierarchy, the device, of which the program's own tensors get
    `budget` bytes and no more. Tensors that are not needed for a while leave for the level behind it, the host, and come back
    in time, on the copy engines beside the computation; or they are dropped, and the operation that wrote them is repeated in
    front of their next use (`mem.recompute`), together with those that wrote what it needs. The policy `auto` takes what is
    over first, by the schedule of the whole program.

    Arguments, results and globals stay where they are on the device, beside the budget. What is planned is checked, written and
    compared with the program before, as by `mem-assign-levels`.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=1000000})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy; default: the module's">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the device that the program's own tensors may have; -1: all that arguments leave">,
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "What to do with what does not fit: auto, swap or recompute (where possible); for comparison: checkpoints, farthest-next-use">,
    Option<"accesses", "accesses", "std::string", /*default=*/"\"\"",
           "File with a table of accesses (mem-record-accesses, mem-run --trace): its times are in the place of the cost model's">,
    Option<"stay", "stay", "std::string", /*default=*/"\"\"",
           "Names of tensors, with commas between them, that stay on the device from their first use to their last">,
    Option<"leave", "leave", "std::string", /*default=*/"\"\"",
           "Names of tensors that are on the host whenever nobody uses them">,
    Option<"keep", "keep", "std::string", /*default=*/"\"\"",
           "Names of tensors that are not computed again">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File to write about the plan, as of mem-assign-levels: .svg, .html, .json or .trace">,
    Option<"explain", "explain", "int64_t", /*default=*/"0",
           "How many remarks to emit in each function, as of mem-assign-levels">,
    NoaliasArguments,
  ];
  let statistics = [
    Statistic<"numTransfers", "transfers", "Copies between device and host">,
    Statistic<"numBytes", "bytes", "Bytes that are copied, each copy counted once">,
    Statistic<"numRecomputed", "recomputed", "Operations that are repeated">,
    Statistic<"peak", "peak", "Bytes of the largest arena on the device">,
    Statistic<"widest", "widest", "Bytes of the device that the widest step needs, whoever leaves">,
    Statistic<"ideal", "ideal", "Modelled cycles without a limit">,
    Statistic<"least", "least", "Modelled cycles that no plan with this budget is below">,
    Statistic<"makespan", "makespan", "Modelled cycles with this plan">,
  ];
}

def MemPrintTradeoff : Pass<"mem-print-tradeoff", "::mlir::ModuleOp"> {
  let summary = "Print how much longer a function takes with less of the device";
  let description = [{
    Plans a function for budgets from what its widest step needs to what it needs without a limit, as `mem-offload` does, and
    prints for each the modelled time, what no plan is below, what is copied, and how many operations are repeated; as text, as
    a picture if the output ends in `.svg`, or as JSON if it ends in `.json`. The module stays as it is.

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
    Option<"policy", "policy", "std::string", /*default=*/"\"auto\"",
           "As of mem-offload">,
    Option<"points", "points", "int64_t", /*default=*/"9",
           "How many budgets, two or more">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File to write, a picture if it ends in .svg, JSON if it ends in .json; '-' is standard output; default: standard error">,
    NoaliasArguments,
  ];
}

def MemRecordAccesses : Pass<"mem-record-accesses", "::mlir::ModuleOp"> {
  let summary = "Write down when each tensor is accessed, by the cost model";
  let description = [{
    Writes the table of accesses of a function, as `mem-offload{accesses=}` reads it: each access of each of the function's own
    tensors, with the step and its time in cycles. With a budget it is the table of passive mode: a tensor that does not fit has
    others leave for the host, those first that nobody has accessed for longest, and what is there comes back when it is
    accessed. Such copies are in the table, and their time is not in that of any access. `mem-run --trace` measures the same
    while the program runs.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-record-accesses{hierarchy=gpu output=main.json})' in.mlir`
  }];
  let options = [
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Name or file of a memory hierarchy, a device and its host; default: the module's">,
    Option<"function", "function", "std::string", /*default=*/"\"\"",
           "Name of the function; default: the only one, or main">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the device for the function's own tensors, in passive mode; -1: as many as it needs">,
    Option<"output", "output", "std::string", /*default=*/"\"-\"",
           "File to write; '-' is standard output">,
    NoaliasArguments,
  ];
}

def MemPlan : Pass<"mem-plan", "::mlir::ModuleOp"> {
  let summary = "Give every buffer an address in one arena";
  let description = [{
    Extracts the lifetimes of every function's buffers (loops, branches and calls included), places them with the chosen
    strategy, checks the plan with code that knows no strategy, and only then writes it: a `mem.arena` at the start of the
    function, and a `mem.view` of it in the place of each `mem.buffer`. A private function that is only called directly gets its
    arena from its callers, as a slice of theirs that is live during the call; public and recursive ones have their own.

    With `arena=argument` public functions get theirs from their callers, too, as a last argument. For each such function `@f`
    there is a function `@f_arena` that returns how many bytes are needed and what their address must be a multiple of. Where
    functions of the module call it, its arena is a slice of theirs.

    Where sizes are known only at run time, the order of addresses is planned, and offsets and the size of the arena are
    arithmetic in front of it: right whatever the sizes are, and without a comparison where all are proportional. Such functions
    have their arena inside.

    A buffer whose next instance is written by a loop while the previous one is still read gets several slots, and a
    `mem.rotate` picks a free one in each round.

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
           "How addresses are found: auto, exact, first-fit, genetic, greedy-by-conflict, greedy-by-size, lifetime-queue, tightest-first">,
    Option<"level", "level", "std::string", /*default=*/"\"\"",
           "Name of the level the arena is in; default: the slowest of the module's "
           "mem.hierarchy, or 'arena' without one">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes the arena may have, if fewer than its level has; default: all of them">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Least alignment of every buffer in bytes, a power of two up to 1 MiB">,
    Option<"arena", "arena", "std::string", /*default=*/"\"inside\"",
           "Where functions that others can call have their arena: inside, or argument (their callers provide it)">,
    Option<"dump", "dump", "std::string", /*default=*/"\"\"",
           "File to write the extracted problem to, for the stand-alone mem-plan; sizes known only at run "
           "time are 1 TiB in it">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers placed">,
    Statistic<"numBytes", "bytes-before", "Sum of their sizes in bytes">,
    Statistic<"peak", "peak", "Bytes of the largest arena">,
    Statistic<"lowerBound", "lower-bound", "Largest sum of sizes live at once, in that function">,
    Statistic<"numRotations", "rotations", "Buffers that a loop needs more than one slot for">,
  ];
}

def MemPrintPlan : Pass<"mem-print-plan", "::mlir::ModuleOp"> {
  let summary = "Print where every buffer lives: a table or JSON";
  let description = [{
    Reads the plan off the IR: the arenas, the views in them, and the steps at which their bytes matter. Beside the peak stands
    the lower bound, the largest sum of sizes live at one step. Where sizes are known only at run time, the plan is printed that
    would come of a number given for all of them.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan{format=json output=plan.json})' in.mlir`
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"table\"",
           "What to print: table, summary, json or conflicts (a matrix)">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File to write, '-' for standard output; default: standard error, as upstream's printing "
           "passes do">,
    Option<"unknown", "unknown", "int64_t", /*default=*/"1",
           "What to take sizes for that only the run time knows">,
  ];
}

def MemBreakPlan : Pass<"mem-break-plan", "::mlir::ModuleOp"> {
  let summary = "Make a plan wrong on purpose, to test what checks plans";
  let description = [{
    Breaks a plan that is right in one way that is sure to matter: a view is moved onto bytes that are needed, an arena or a
    slice is made too small, a rotation keeps away from nothing, a transfer is not waited for, an operation is missing. Whoever
    checks plans has to notice. Where a program has nothing of that kind, it stays as it is, with a remark.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,mem-break-plan{kind=last-byte})' in.mlir`
  }];
  let options = [
    Option<"kind", "kind", "std::string", /*default=*/"\"onto-another\"",
           "What to break; a name that there is not lists those that there are">,
    Option<"seed", "seed", "int64_t", /*default=*/"0", "Which of the places where that is possible">,
  ];
  let statistics = [
    Statistic<"numBroken", "broken", "Whether there was something to break">,
  ];
}

def MemVerifyPlan : Pass<"mem-verify-plan", "::mlir::ModuleOp"> {
  let summary = "Check that planned programs read what they would read with memory for every buffer";
  let description = [{
    Looks at the IR alone: arenas, views, slices and rotations, and the operations that read and write through them. Every view
    lies within its arena, aligned as it asks; callees are handed as much as they need; an arena is not larger than its level.
    And each operation reads what was written for it: on every path, the bytes of a view are those that were last written
    through it, and nobody has written another buffer over them, not even another instance of the same one, and not on another
    core.

    Views with one name are places of one tensor, and so is the argument with that `mem.name`, or the global of that name behind
    an `@`. Transfers between them keep the tensor, other operations change it: its other places are not up to date then, and
    must not be read. Both ends of a transfer have the same layout and no common byte; its bytes are left alone until it is
    waited for. A swap leaves nothing behind. An operation with the attribute `mem.recompute` computes again what an equal one
    has, while its operands are what they were, through whatever name they can be reached. Callees find globals up to date, and
    make other places of those they write stale. When a function returns, its arguments and globals are up to date and no
    transfer is in flight.

    No operation writes over an operand, unless both are exactly the same bytes and it is known to read each element before it
    writes it.

    Given the program before planning, the planned one has to be the same: its globals, nested modules and attributes, and its
    functions, operation by operation, but for places, transfers between places of one tensor, and what computes again.

    What is wrong is an error at the operation that would read the wrong bytes, and names both buffers. Offsets and sizes known
    only at run time are tried with some numbers.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,mem-verify-plan)' in.mlir`
  }];
  let options = [
    Option<"original", "original", "std::string", /*default=*/"",
           "File with the program that was planned">,
    Option<"noaliasArguments", "noalias-arguments", "bool", /*default=*/"false",
           "The plan was made with this option: it may state that no two arguments share a byte">,
  ];
  let statistics = [
    Statistic<"numFunctions", "functions", "Functions with a plan">,
    Statistic<"numViews", "views", "Views and slices in them">,
  ];
}

def MemSnapshot : Pass<"mem-snapshot", "::mlir::ModuleOp"> {
  let summary = "Note what a module does, for mem-validate";
  let description = [{
    Changes nothing. `mem-opt --pass-pipeline='builtin.module(mem-snapshot,cse,mem-validate)' in.mlir`
  }];
}

def MemValidate : Pass<"mem-validate", "::mlir::ModuleOp"> {
  let summary = "Check that a module does what it did at mem-snapshot";
  let description = [{
    Translation validation: the program at `mem-snapshot`, or in the file `original`, and the one that is there now take the same
    decisions, make the same calls, and leave the same bytes behind. A difference is an error that names the operations that
    computed what differs; a function that cannot be followed gets a warning. `docs/Trust.md` has what is guaranteed.
    `mem-opt --pass-pipeline='builtin.module(mem-snapshot,cse,mem-validate)' in.mlir`
  }];
  let options = [NoaliasArguments,
    Option<"original", "original", "std::string", /*default=*/"", "File with the program to compare with">];
  let statistics = [
    Statistic<"numEqual", "equal", "Functions that do what they did">,
    Statistic<"numUnknown", "unknown", "Functions that were not validated">,
  ];
}

def MemPrintDependence : Pass<"mem-print-dependence", "::mlir::ModuleOp"> {
  let summary = "Print who wrote what each operation reads, byte by byte";
  let description = [{
    For each operation that reads: the definitions that may have written those bytes last, on some path. For each one that
    writes: who reads it, which of its bytes nobody reads, and what it overwrites, with all that has been overwritten of it by
    then (its kill set). At each block where different states meet, the bytes they differ in.

    Operations are numbered in the order of the program, `s0`, `s1`, …; byte ranges are half-open; a question mark says that
    only some of the bytes are touched. `undefined` bytes are those that nobody has written, `entry` those that come from before
    the function, `outside` is whoever can see a buffer after it.

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
           "What to print: text, or the program that the analysis works on">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File to write, '-' for standard output; default: standard error, as upstream's printing "
           "passes do">,
    NoaliasArguments,
  ];
}

def MemAnnotateDependence : Pass<"mem-annotate-dependence", "::mlir::ModuleOp"> {
  let summary = "Put def-use chains on operations, as attributes";
  let description = [{
    Every operation that reads or writes memory gets an attribute `mem.accesses`, an array with a dictionary for each access:
    its `id`, unique in the function; the `operand` it goes through, if any; its `kind`, `"use"` or `"define"`; the `bytes` it
    may touch, from the start of what the operand is a view of, and `exact` if it touches all of them whenever it runs.

    A use has its `sources`: each with the `buffer` it is in, the `bytes` of it, and the `id` of the definition, or `undefined`,
    or `entry` for what was there before the function. A definition has its `readers`, as ids; `dead` if there are none, in or
    outside of the function, or the bytes that are never read, as `dead_bytes`; and what it `kills`: ids of definitions, each with
    all `bytes` of it that have been overwritten by then. Functions get `mem.joins`, the phis.

    Byte ranges are half-open and come in pairs, start and end; an end of -1 is wherever the buffer ends. Annotations that are
    there are replaced; passes that change the program make them wrong.

    `mem-opt --pass-pipeline='builtin.module(mem-annotate-dependence)' in.mlir`
  }];
  let options = [
    Option<"clear", "clear", "bool", /*default=*/"false", "Only remove annotations">,
    NoaliasArguments,
  ];
}

def MemCheckReads : Pass<"mem-check-reads", "::mlir::ModuleOp"> {
  let summary = "Warn of reads of bytes that nothing has written";
  let description = [{
    A warning at each operation that surely reads bytes which no path to it has written, with a note at the allocation. What is
    written on some path is not reported.

    `mem-opt --pass-pipeline='builtin.module(mem-check-reads)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numReads", "reads", "Operands that read undefined bytes">,
  ];
}

def MemDeadStoreElimination : Pass<"mem-dead-store-elimination", "::mlir::ModuleOp"> {
  let summary = "Remove writes that nobody reads";
  let description = [{
    Removes operations that only write, if no byte they may write is read before it is overwritten, on any path, by the program
    or by whoever sees its buffers afterwards; and stores of what is there already. Fills and copies of which nobody reads the
    first or last rows lose those rows. Buffers that nobody uses any more go, too.

    ```mlir
    linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
    memref.copy %b, %a : memref<8xf32> to memref<8xf32>
    // becomes
    memref.copy %b, %a : memref<8xf32> to memref<8xf32>
    ```

    `mem-opt --pass-pipeline='builtin.module(mem-dead-store-elimination)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numWrites", "writes", "Operations removed">,
    Statistic<"numCopies", "copies", "Copies among them">,
    Statistic<"numBytes", "bytes", "Bytes no longer written, each operation counted once">,
    Statistic<"numShrunk", "shrunk", "Operations that write less than before">,
    Statistic<"numBuffers", "buffers", "Buffers removed">,
  ];
}

def MemForwardStores : Pass<"mem-forward-stores", "::mlir::ModuleOp"> {
  let summary = "Read what was written from where it came from";
  let description = [{
    A load gets the stored value if every path comes from a store of that value, and one that reads memory filled with one value
    gets that value. So does a load from a constant global, if all of its elements are equal or the indices are constant.
    Operations that read the target of a copy read its source instead, if the source has not changed since and everything that
    reads the copy can do so; `mem-dead-store-elimination` then removes the copy. Across blocks and out of loops.

    ```mlir
    memref.store %v, %a[%i] : memref<8xf32>
    %x = memref.load %a[%i] : memref<8xf32>   // %v from here on
    ```

    `mem-opt --pass-pipeline='builtin.module(mem-forward-stores,mem-dead-store-elimination)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numLoads", "loads", "Loads that became values">,
    Statistic<"numOperands", "operands", "Operands that read the source of a copy now">,
  ];
}

def MemCse : Pass<"mem-cse", "::mlir::ModuleOp"> {
  let summary = "Remove reads and computations whose operands have not changed since";
  let description = [{
    A load gets the value of an earlier load of the same place, if nothing wrote there in between. An operation without other
    effects that computes what an earlier one has computed, from the same operands with the same content, into a target that
    still holds it, goes; the earlier one dominates it. What was computed into another buffer that is read later anyway is
    copied, and readers of the copy read the original where they can. Unlike upstream's `cse`, writes to other bytes in between
    do no harm.

    `mem-opt --pass-pipeline='builtin.module(mem-cse)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numLoads", "loads", "Loads removed">,
    Statistic<"numComputations", "computations", "Operations removed that had been computed before">,
  ];
}

def MemRemoveCopies : Pass<"mem-remove-copies", "::mlir::ModuleOp"> {
  let summary = "Compute what is only copied elsewhere in its final place";
  let description = [{
    A `memref.copy` or `linalg.copy` whose source is a `mem.buffer` of its own goes if source and target are never both needed:
    between the first access to the source and the copy nothing touches the target's bytes, and between the copy and the last
    access to the source nothing changes them. The source's descriptors become descriptors of the target, with the target's
    strides; a fill of the target that lies in between, as bufferization makes it for padding, moves to before.

    Buffers that live longer because of that are larger ones, perhaps. A copy stays if more bytes would be live at once than now
    are anywhere in the function, or if the plan that `mem-plan` makes would have a higher peak; the latter is asked in
    functions with up to 1000 buffers.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numCopies", "copies", "Copies removed">,
    Statistic<"numBytes", "bytes", "Bytes that are no longer copied">,
    Statistic<"numKept", "kept", "Copies kept because the peak would rise">,
  ];
}

def MemSplitBuffers : Pass<"mem-split-buffers", "::mlir::ModuleOp"> {
  let summary = "Give contents that have nothing to do with each other buffers of their own";
  let description = [{
    A `mem.buffer` that holds one thing after the other, or several beside each other, becomes several buffers, one for each set
    of accesses that def-use chains connect, as large as the bytes they touch: none of them has to be where the others are.
    Contents that are live at the same time and whose bytes lie between each other's stay together. Bytes that nobody touches
    go.

    `mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-split-buffers)' in.mlir`
  }];
  let options = [NoaliasArguments];
  let statistics = [
    Statistic<"numSplit", "split", "Buffers that became several">,
    Statistic<"numNew", "new", "Buffers that were added">,
    Statistic<"numBytes", "bytes", "Bytes by which buffers became smaller that stayed one">,
  ];
}

def ConvertMemToMemref : Pass<"convert-mem-to-memref", "::mlir::ModuleOp"> {
  let summary = "Lower arenas, views, transfers and whatever is left of the mem dialect to memref";
  let description = [{
    An arena becomes one `memref.alloc` of bytes, freed where the function returns; a view becomes a `memref.view` of it, with a
    `memref.reinterpret_cast` where the layout asks for one; buffers that were never planned become allocations again.

    Transfers become copies, which are done when they begin; or `memref.dma_start` and `memref.dma_wait`, with numbered tags
    that are free again after the wait; or calls of the run-time library:

    ```mlir
    func.func private @mem_runtime_begin(i32, index, index, i64) -> i64  // engine, from, to, bytes; a ticket
    func.func private @mem_runtime_wait(i64)
    ```

    The engine is the number of one that `mem.hierarchy` has between the levels. What no engine reaches, and what is not dense
    or of unknown size, is always copied where it stands.

    `mem-opt --pass-pipeline='builtin.module(mem-default-pipeline,convert-mem-to-memref)' in.mlir`
  }];
  let options = [
    Option<"transfers", "transfers", "std::string", /*default=*/"\"copy\"",
           "What transfers become: copy, dma or runtime">,
  ];
  let statistics = [
    Statistic<"numArenas", "arenas", "Arenas that became allocations">,
    Statistic<"numViews", "views", "Views and descriptors lowered">,
  ];
}
