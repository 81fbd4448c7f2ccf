//===- Shim.h - What MLIR offers only in C++, as a C interface ------------===//
//
// The surface between Rust and MLIR's C++. It answers questions and forwards calls; it decides
// nothing. Every function is called from Rust only; callbacks into Rust never unwind.
//
//===----------------------------------------------------------------------===//

#ifndef MEM_SHIM_H
#define MEM_SHIM_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===--- Passes -----------------------------------------------------------===//

typedef enum { MemOptionString, MemOptionInteger, MemOptionBoolean } MemOptionKind;

/// One option of a pass or a pipeline. Strings live forever.
typedef struct {
  const char *name;
  const char *about;
  const char *defaultValue;
  MemOptionKind kind;
} MemOptionSpec;

typedef struct {
  const char *name;
  const char *about;
} MemStatisticSpec;

/// A pass that is running: the operation it runs on, its options and statistics.
typedef struct MemPassRun MemPassRun;

/// A pass as Rust declares it. The struct and all it points to live forever.
typedef struct {
  const char *argument;
  const char *summary;
  const char *anchor;
  const MemOptionSpec *options;
  size_t numOptions;
  const MemStatisticSpec *statistics;
  size_t numStatistics;
  /// Returns false if the pass failed; a diagnostic has been emitted then.
  bool (*run)(size_t index, MemPassRun *run);
  size_t index;
} MemPassSpec;

void memShimRegisterPass(const MemPassSpec *spec);

MlirOperation memShimRunOperation(MemPassRun *run);
MlirStringRef memShimRunString(MemPassRun *run, size_t option);
int64_t memShimRunInteger(MemPassRun *run, size_t option);
bool memShimRunBoolean(MemPassRun *run, size_t option);
void memShimRunSetStatistic(MemPassRun *run, size_t statistic, uint64_t value);

/// What one pass leaves for the next ones on the same operation.
typedef struct {
  /// Null: nothing. Otherwise `drop` is called with it when MLIR finds that it may not hold any more.
  void *data;
  void (*drop)(void *data);
} MemKept;
/// What the last pass that wanted to has left, to look at and to replace.
MemKept *memShimRunKept(MemPassRun *run);
/// Says that what is left still holds behind this pass. `all`: since the pass changed nothing, so does
/// everything else, and nothing has to be verified.
void memShimRunPreserve(MemPassRun *run, bool all);

/// Whether --mlir-pass-statistics was given to a tool whose LLVM was built without statistics, as
/// distributions do: then MLIR's own report is empty.
bool memShimStatisticsAreLost(void);

/// Parsed options of a pipeline, in the order they were declared.
typedef struct MemOptionValues MemOptionValues;
MlirStringRef memShimOptionString(MemOptionValues *values, size_t option);
int64_t memShimOptionInteger(MemOptionValues *values, size_t option);
bool memShimOptionBoolean(MemOptionValues *values, size_t option);

/// A pipeline as Rust declares it: `build` hands its passes, as text, to `sink`, once.
typedef struct {
  const char *argument;
  const char *summary;
  const MemOptionSpec *options;
  size_t numOptions;
  void (*build)(size_t index, MemOptionValues *values, MlirStringCallback sink, void *user);
  size_t index;
} MemPipelineSpec;

void memShimRegisterPipeline(const MemPipelineSpec *spec);

//===--- Registration and tools -------------------------------------------===//

/// Adds the mem dialect to a registry.
void memShimRegisterDialect(MlirDialectRegistry registry);
/// The handle that `mlirGetDialectHandle__mem__` returns.
MlirDialectHandle memShimDialectHandle(void);
/// Adds every upstream dialect, extension and translation to a registry.
void memShimRegisterUpstream(MlirDialectRegistry registry);
/// Registers every upstream pass.
void memShimRegisterUpstreamPasses(void);
/// mlir-opt with the dialects of `registry` and all registered passes.
int memShimOptMain(int argc, char **argv, const char *name, MlirDialectRegistry registry);

//===--- Diagnostics ------------------------------------------------------===//

/// One line of a diagnostic: its location and text.
typedef struct {
  MlirLocation location;
  MlirStringRef text;
} MemNote;

/// Emits a diagnostic of the given severity with notes.
void memShimEmit(MlirLocation location, MlirDiagnosticSeverity severity, MlirStringRef text,
                 size_t numNotes, const MemNote *notes);

//===--- Symbols ----------------------------------------------------------===//

/// Called for every mention of a symbol: who mentions it, and the name at the root.
typedef void (*MemSymbolCallback)(void *user, MlirOperation op, MlirStringRef symbol);

/// All mentions of symbols inside an operation. Returns false if some could not be seen, because
/// an operation that may be a symbol table is unknown.
bool memShimSymbolUses(MlirOperation scope, MemSymbolCallback callback, void *user);

//===--- Inlining ---------------------------------------------------------===//

/// Called for every `func.call` among inlined operations.
typedef void (*MemCallCallback)(void *user, MlirOperation call);

/// Puts a copy of the body of `callee`, a `func.func` with one, in the place of `call`, a `func.call` in another function of
/// the same symbol table. Returns false, and changes nothing, if the dialects involved do not allow that.
bool memShimInlineCall(MlirOperation call, MlirOperation callee, MemCallCallback callback,
                       void *user);

//===--- Types ------------------------------------------------------------===//

typedef enum { MemTypeOther, MemTypeMemref, MemTypeBuffer, MemTypeArena } MemTypeKind;

/// Which of the types that denote storage a type is; a buffer's size in bytes goes to `size`, -1 if
/// it is known only at run time.
/// Bits of a number of type index in an operation's data layout.
uint64_t memShimIndexBits(MlirOperation op);

MemTypeKind memShimTypeKind(MlirType type, int64_t *size);

//===--- The memory hierarchy ---------------------------------------------===//

/// A level of a `#mem.hierarchy`; -1 stands for no capacity, 1 for no alignment.
typedef struct {
  MlirStringRef name;
  int64_t capacity;
  int64_t alignment;
  /// Cycles, and bytes per cycle; a bandwidth of 0 is not stated.
  int64_t readLatency, writeLatency;
  double readBandwidth, writeBandwidth;
} MemLevel;

/// Calls back for every level of a `#mem.hierarchy` attribute, fastest first.
typedef void (*MemLevelCallback)(void *user, MemLevel level);
void memShimHierarchyLevels(MlirAttribute hierarchy, MemLevelCallback callback, void *user);

/// Calls back for every pair of levels that an engine copies between.
typedef void (*MemLinkCallback)(void *user, MlirStringRef engine, MlirStringRef source,
                                MlirStringRef target);
void memShimHierarchyLinks(MlirAttribute hierarchy, MemLinkCallback callback, void *user);

/// Calls back for every level in which an operand is accepted.
typedef void (*MemOperandCallback)(void *user, MlirStringRef operation, int64_t index,
                                   MlirStringRef level);
void memShimHierarchyOperands(MlirAttribute hierarchy, MemOperandCallback callback, void *user);

/// Arithmetic operations per cycle; 0 if that is not stated.
double memShimHierarchyCompute(MlirAttribute hierarchy);

/// Whether the first load of a constant is free.
bool memShimHierarchyIsPreloaded(MlirAttribute hierarchy);

//===--- Questions about a value ------------------------------------------===//

/// A constant that a value of type index never exceeds, or -1 if none is known after a look at so many
/// values that it depends on.
int64_t memShimUpperBound(MlirValue value, size_t maxValues);

/// How often the body of a structured operation runs, or -1 if that is not known.
int64_t memShimIterations(MlirOperation op);

/// Whether an operation can run anywhere else, and more often, if its operands are there.
bool memShimIsPure(MlirOperation op);

//===--- Questions about an operation -------------------------------------===//

enum {
  /// Its result is a view of `viewSource`.
  MemFactView = 1,
  /// Control flows into and between its regions as RegionBranchOpInterface says.
  MemFactRegionBranch = 2,
  /// It ends a block and branches to others as BranchOpInterface says.
  MemFactBranch = 4,
  /// Its regions may run concurrently with themselves.
  MemFactParallel = 8,
  /// Nothing says what it reads and writes.
  MemFactUnknownEffects = 16,
  MemFactTerminator = 32,
  /// It has an operand that denotes storage: a memref, a buffer, an arena.
  MemFactPointerOperand = 64,
  MemFactPointerResult = 128,
  /// It has a result that could hide a pointer or a completion token: neither a number, nor a
  /// vector of numbers, nor a memref.
  MemFactOpaqueResult = 256,
  /// Some operation inside its regions may have an operand that denotes storage, or unknown effects.
  MemFactNestedMemory = 512,
  /// It writes something.
  MemFactWrites = 1024,
  MemFactCall = 2048,
  /// Its effects are all it does with its operands: it keeps no address.
  MemFactStructured = 4096,
};

typedef struct {
  uint32_t flags;
  MlirValue viewSource;
} MemFacts;

typedef enum { MemEffectRead, MemEffectWrite, MemEffectAllocate, MemEffectFree } MemEffectKind;

/// Called for every effect on a value; `full`: on each of its elements, in every execution.
typedef void (*MemEffectCallback)(void *user, MlirValue value, MemEffectKind kind, bool full);

/// Answers all questions about one operation at once. Effects of nested operations are not
/// included.
MemFacts memShimDescribe(MlirOperation op, MemEffectCallback callback, void *user);

/// Whether two operations are the same but for their locations, operands by identity, and but for
/// the operand number `except` if it is not negative.
bool memShimIsEquivalent(MlirOperation a, MlirOperation b, intptr_t except);

/// Called for every edge of a branch: values `from` become block arguments `to`. A `from` that is
/// null is produced by the branch itself.
typedef void (*MemBranchCallback)(void *user, MlirBlock target, size_t n, const MlirValue *from,
                                  const MlirValue *to);
void memShimBranchEdges(MlirOperation op, MemBranchCallback callback, void *user);

/// Called for every edge between the regions of an operation. `terminator` is null for an edge that
/// enters from outside; `region` is -1 for one that leaves.
typedef void (*MemRegionCallback)(void *user, MlirOperation terminator, intptr_t region, size_t n,
                                  const MlirValue *from, const MlirValue *to);
void memShimRegionEdges(MlirOperation op, MemRegionCallback callback, void *user);

//===--- Compiling --------------------------------------------------------===//

/// As `mlirExecutionEngineCreate`, which cannot turn off the listeners of debuggers and profilers; perf's writes a dump
/// of each engine to the temporary directory and leaves it there. Null if the module cannot be compiled.
MlirExecutionEngine memShimCompile(MlirModule module, int optimizationLevel);

#ifdef __cplusplus
}
#endif

#endif // MEM_SHIM_H
