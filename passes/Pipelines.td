//===- Pipelines.td - The pipelines of mem-opt and their options ----------===//
//
// Part of Passes.td. Rust builds the pipelines: passes/pipelines.rs has a function for each, which
// gets the values of its groups of options.
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

/// Options that several pipelines share. They become a Rust struct.
class OptionGroup {
  string summary = "";
  list<Option> options = [];
}

class Pipeline<string name> {
  string argument = name;
  string summary = "";
  list<OptionGroup> groups = [];
}

def PlanningOptions : OptionGroup {
  let summary = "Options of pipelines that plan";
  let options = [
    Option<"strategy", "strategy", "std::string", /*default=*/"\"auto\"",
           "How addresses are found: auto, exact, first-fit, genetic, greedy-by-conflict, "
           "greedy-by-size, lifetime-queue, tightest-first">,
    Option<"capacity", "capacity", "int64_t", /*default=*/"-1",
           "Bytes available to the arena; default: the capacity of its level">,
    Option<"alignment", "alignment", "int64_t", /*default=*/"0",
           "Minimum alignment of every buffer in bytes, a power of two up to 1 MiB">,
    Option<"optimize", "optimize", "bool", /*default=*/"true",
           "Whether to remove dead stores and unneeded copies and computations before planning">,
    Option<"noaliasArguments", "noalias-arguments", "bool", /*default=*/"false",
           "Assert that no two arguments of a function share a byte">,
    Option<"arena", "arena", "std::string", /*default=*/"\"inside\"",
           "Arena of externally callable functions: inside, or argument (from their callers)">,
    Option<"spread", "spread", "std::string", /*default=*/"\"free\"",
           "Whether buffers that one operation accesses begin at different offsets within a page: off, free (as far "
           "as no arena grows), or the number of bytes by which an arena may grow for it">,
    Option<"hierarchy", "hierarchy", "std::string", /*default=*/"\"\"",
           "Plan for a memory hierarchy, given by name or file, with transfers between its levels; "
           "strategies are then those of mem-assign-levels, and the capacity is that of the fastest "
           "level">,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes of the hierarchy's device for the program's own tensors; others are copied to the "
           "host or recomputed (mem-offload); default: no budget">,
    Option<"tile", "tile", "std::string", /*default=*/"\"off\"",
           "Whether groups of operations run tile by tile (mem-tile): off, fit (as far as the capacity "
           "or the budget requires, or the least time in the hierarchy) or peak (the smallest peak)">,
    Option<"extraWork", "extra-work", "int64_t", /*default=*/"10",
           "Largest number of additional operations of programs that run tile by tile, in percent">,
    Option<"order", "order", "std::string", /*default=*/"\"keep\"",
           "Order of the operations of a block: keep (that of the program) or auto (one with a lower "
           "peak, if there is one; mem-reorder)">,
    Option<"overlap", "overlap", "std::string", /*default=*/"\"off\"",
           "Whether messages between ranks travel beside computation (mem-overlap-requests): off, keep (if "
           "no more bytes are live at once) or any">,
    Option<"spaces", "spaces", "std::string", /*default=*/"\"keep\"",
           "Memory spaces of placed tensors: keep (those that the hierarchy states for its levels; to "
           "LLVM, integers for those that are none), name (#mem.space), none or number">,
    Option<"report", "report", "std::string", /*default=*/"\"\"",
           "File for a picture of the plan or its data: .html, .svg, .json or .trace; in a hierarchy, with "
           "what swaps, repetitions and copies cost (report of mem-assign-levels and mem-offload)">,
  ];
}

def LoweringOptions : OptionGroup {
  let summary = "Options of pipelines that lower the dialect completely";
  let options = [
    Option<"transfers", "transfers", "std::string", /*default=*/"\"copy\"",
           "How transfers between levels are lowered: copy, dma or runtime (calls of the runtime "
           "library)">,
  ];
}

def BufferizationOptions : OptionGroup {
  let summary = "Options of the pipeline that bufferizes";
  let options = [
    Option<"keepArguments", "keep-arguments", "bool", /*default=*/"false",
           "Never overwrite an argument; copy it where the program changes it">,
  ];
}

def ShardingOptions : OptionGroup {
  let summary = "Options of the pipeline for several ranks";
  let options = [
    Option<"grid", "grid", "std::string", /*default=*/"\"\"",
           "Shape of the grid of ranks, as in 2x4; default: that of the module's 'shard.grid'">,
  ];
}

def MemFromLinalgPipeline : Pipeline<"mem-from-linalg-pipeline"> {
  let summary = "From linalg, tensor, scf and arith on tensors to bufferized MLIR";
  let groups = [BufferizationOptions];
}

def MemDefaultPipeline : Pipeline<"mem-default-pipeline"> {
  let summary = "From tensors or bufferized MLIR to checked addresses";
  let groups = [PlanningOptions];
}

def MemToMemrefPipeline : Pipeline<"mem-to-memref-pipeline"> {
  let summary = "From tensors or bufferized MLIR to memref operations in planned arenas";
  let groups = [PlanningOptions, LoweringOptions];
}

def MemToLLVMPipeline : Pipeline<"mem-to-llvm-pipeline"> {
  let summary = "From tensors or bufferized MLIR to the LLVM dialect, in planned arenas";
  let groups = [PlanningOptions, LoweringOptions];
}

def MemShardPipeline : Pipeline<"mem-shard-pipeline"> {
  let summary = "From sharded programs on tensors to the LLVM dialect, in planned arenas, with calls of MPI";
  let groups = [ShardingOptions, PlanningOptions, LoweringOptions];
}
