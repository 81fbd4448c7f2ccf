//===- Options.td - What options accept, beyond their types ---------------===//
//
// Part of Passes.td. The build adds this to the options that the other files declare. It fails if an
// entry names no option, and if an option of type string has neither choices nor an example: a check of
// its value in front of the run, suggestions for misspellings, and the help are made of them.
//
//===----------------------------------------------------------------------===//

/// The options of these names are sizes in bytes, with or without a unit: 4096, 64KiB, 1.5MiB.
class SizeOptions<list<string> names> {
  list<string> options = names;
}

/// The options of these names are the name or the file of a memory hierarchy.
class HierarchyOptions<list<string> names> {
  list<string> options = names;
}

/// The values of an option of the passes and pipelines `owners`.
class Choices<list<string> names, string name, list<string> values> {
  list<string> owners = names;
  string option = name;
  list<string> choices = values;
}

/// The least and the largest value of the number `option`.
class Range<string name, int low, int high> {
  string option = name;
  int least = low;
  int most = high;
}

/// A value of an option, for its help; of several entries, one that names the owner.
class Example<string name, string text, list<string> names = []> {
  string option = name;
  string value = text;
  list<string> owners = names;
}

defvar Unlimited = 0x7fffffffffffffff;
def : Range<"threshold", 0, 100>;
def : Range<"extra-work", 0, 4294967295>;
def : Range<"unknown", 0, Unlimited>;
def : Range<"explain", 0, Unlimited>;
def : Range<"segment", 1, Unlimited>;
def : Range<"points", 2, Unlimited>;
def : Range<"max-operations", 0, Unlimited>;
def : Range<"seed", 0, Unlimited>;

def : SizeOptions<["capacity", "budget", "alignment"]>;
def : HierarchyOptions<["hierarchy"]>;

defvar ArenaStrategies = ["auto", "exact", "first-fit", "genetic", "greedy-by-conflict", "greedy-by-size",
                          "lifetime-queue", "tightest-first"];
defvar LevelStrategies = ["initial", "least-recently-used", "farthest-next-use", "global", "local-search"];
defvar Planning = ["mem-default-pipeline", "mem-to-memref-pipeline", "mem-to-llvm-pipeline", "mem-shard-pipeline"];

def : Choices<["mem-plan"], "strategy", ArenaStrategies>;
def : Choices<["mem-assign-levels"], "strategy", !listconcat(["auto", "exact"], LevelStrategies)>;
def : Choices<!listconcat(Planning, ["mem-reorder", "mem-tile"]), "strategy",
              !listconcat(ArenaStrategies, LevelStrategies)>;
def : Choices<["mem-assign-levels"], "model", ["serial", "overlapped"]>;
def : Choices<["mem-offload", "mem-print-tradeoff"], "policy",
              ["auto", "swap", "recompute", "checkpoints", "farthest-next-use"]>;
def : Choices<!listconcat(Planning, ["mem-plan"]), "arena", ["inside", "argument"]>;
def : Choices<!listconcat(Planning, ["mem-plan", "mem-assign-levels", "mem-offload", "mem-reorder",
                                    "mem-tile"]), "spaces", ["keep", "name", "none", "number"]>;
def : Choices<Planning, "tile", ["off", "fit", "peak"]>;
def : Choices<!listconcat(Planning, ["mem-reorder"]), "order", ["auto", "keep"]>;
def : Choices<["mem-tile"], "target", ["peak", "capacity", "budget", "time"]>;
def : Choices<["mem-tile"], "overlap", ["keep", "recompute", "auto"]>;
def : Choices<["mem-overlap-requests"], "peak", ["any", "keep"]>;
def : Choices<Planning, "overlap", ["off", "keep", "any"]>;
def : Choices<["mem-to-memref-pipeline", "mem-to-llvm-pipeline", "mem-shard-pipeline", "convert-mem-to-memref"], "transfers",
              ["copy", "dma", "runtime"]>;
def : Choices<["mem-print-plan"], "format",
              ["table", "summary", "json", "csv", "html", "svg", "trace", "conflicts"]>;
def : Choices<["mem-print-dependence"], "format", ["text", "program"]>;

def : Example<"grid", "2x4">;
def : Example<"spread", "4KiB">;
def : Example<"report", "plan.html">;
def : Example<"dump", "program.mem">;
def : Example<"output", "plan.txt">;
def : Example<"output", "curve.svg", ["mem-print-tradeoff"]>;
def : Example<"output", "accesses.json", ["mem-record-accesses"]>;
def : Example<"function", "main">;
def : Example<"accesses", "accesses.json">;
def : Example<"level", "sram">;
def : Example<"stay", "weights,bias">;
def : Example<"leave", "activations">;
def : Example<"keep", "attention">;
def : Example<"original", "before.mlir">;
def : Example<"kind", "first-byte">;
def : Example<"break", "short-halo", ["mem-tile"]>;
def : Example<"compare-after", "convert-memref-to-mem">;
def : Example<"break", "barrier", ["mem-reorder"]>;
def : Example<"break", "late-wait", ["mem-overlap-requests"]>;
def : Example<"break", "lost-store", ["mem-offload-streams"]>;
def : Example<"break", "old-strides", ["mem-dead-iteration-elimination"]>;
def : Example<"capacity", "1MiB">;
def : Example<"budget", "64MiB">;
def : Example<"alignment", "64">;
def : Example<"hierarchy", "npu">;
def : Example<"segment", "4">;
def : Example<"explain", "10">;
def : Example<"points", "5">;
def : Example<"seed", "7">;
def : Example<"threshold", "5">;
def : Example<"unknown", "128">;
def : Example<"extra-work", "25">;
def : Example<"max-operations", "1000">;
