//===- Shim.h - C interface to C++-only parts of MLIR ---------------------===//
//
// The interface between Rust and MLIR's C++ API. The shim answers queries and forwards calls; it
// contains no policy. All functions are called only from Rust; callbacks into Rust never unwind.
//
//===----------------------------------------------------------------------===//

#ifndef MEM_SHIM_H
#define MEM_SHIM_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

//===--- Passes -----------------------------------------------------------===//

/// Sizes, choices and hierarchies are strings to MLIR; Rust checks and converts them.
typedef enum {
  MemOptionString,
  MemOptionInteger,
  MemOptionBoolean,
  MemOptionSize,
  MemOptionChoice,
  MemOptionHierarchy
} MemOptionKind;

/// An option of a pass or a pipeline. The strings have static lifetime.
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

/// A running pass: the operation that the pass runs on, its options and its statistics.
typedef struct MemPassRun MemPassRun;

/// A pass declared in Rust. The struct and everything it points to have static lifetime.
typedef struct {
  const char *argument;
  const char *summary;
  const char *anchor;
  const MemOptionSpec *options;
  size_t numOptions;
  const MemStatisticSpec *statistics;
  size_t numStatistics;
  /// Checks the text of all options. Returns false after calling `sink` with the error.
  bool (*check)(size_t index, MlirStringRef options, MlirStringCallback sink, void *user);
  /// Returns false on failure, after emitting a diagnostic.
  bool (*run)(size_t index, MemPassRun *run);
  size_t index;
  /// Whether the pass runs upstream's bufferization or partitioning, whose dialects and passes are then loaded.
  bool bufferizes;
} MemPassSpec;

void memShimRegisterPass(const MemPassSpec *spec);

MlirOperation memShimRunOperation(MemPassRun *run);
MlirStringRef memShimRunString(MemPassRun *run, size_t option);
int64_t memShimRunInteger(MemPassRun *run, size_t option);
bool memShimRunBoolean(MemPassRun *run, size_t option);
void memShimRunSetStatistic(MemPassRun *run, size_t statistic, uint64_t value);

/// A value that a pass keeps for later passes on the same operation.
typedef struct {
  /// Null if empty. Otherwise `drop` is called with `data` when MLIR invalidates the analysis.
  void *data;
  void (*drop)(void *data);
} MemKept;
/// The value kept by the most recent pass that kept one; the caller may read or replace the value.
MemKept *memShimRunKept(MemPassRun *run);
/// Marks the kept value as preserved by this pass. `all` asserts that the pass changed nothing: all
/// other analyses are preserved as well, and the IR need not be verified.
void memShimRunPreserve(MemPassRun *run, bool all);

/// Sets whether MLIR's verifier runs after this run of the pass. It does not if the pass has changed
/// nothing, either.
void memShimRunSetVerified(MemPassRun *run, bool isVerified);

/// Runs MLIR's verifier on an operation, and `work`, which may read the operation, on the calling thread.
/// Both run at once if the context has threads. Diagnostics of `work` come first. Returns false if the
/// verifier fails, after emitting a diagnostic.
bool memShimVerifyDuring(MlirOperation op, void (*work)(void *user), void *user);

/// Runs a textual list of passes on an operation inside that of the running pass, or on the latter.
/// Returns false on failure, after emitting a diagnostic, or after calling `sink` with the reason if
/// the text is not a pipeline.
bool memShimRunPasses(MemPassRun *run, MlirOperation op, MlirStringRef passes,
                      MlirStringCallback sink, void *user);

/// Whether --mlir-pass-statistics was passed to a tool whose LLVM was built without statistics, as
/// in distribution packages. In that case, MLIR's own report is empty.
bool memShimStatisticsAreLost(void);

/// The value of --pass-pipeline, if this process is a tool that has the option of mlir-opt. Otherwise
/// empty, as in LLVM without RTTI, where the type of an option cannot be told.
MlirStringRef memShimPipelineText(void);

/// Whether --verify-diagnostics was passed to the tool that this process is.
bool memShimVerifiesDiagnostics(void);

/// Parsed options of a pipeline, in declaration order.
typedef struct MemOptionValues MemOptionValues;
MlirStringRef memShimOptionString(MemOptionValues *values, size_t option);
int64_t memShimOptionInteger(MemOptionValues *values, size_t option);
bool memShimOptionBoolean(MemOptionValues *values, size_t option);

/// A pipeline declared in Rust. `build` calls `sink` once with the textual pass pipeline.
typedef struct {
  const char *argument;
  const char *summary;
  const MemOptionSpec *options;
  size_t numOptions;
  /// As for a pass.
  bool (*check)(size_t index, MlirStringRef options, MlirStringCallback sink, void *user);
  void (*build)(size_t index, MemOptionValues *values, MlirStringCallback sink, void *user);
  size_t index;
} MemPipelineSpec;

void memShimRegisterPipeline(const MemPipelineSpec *spec);

//===--- Registration -----------------------------------------------------===//

/// Adds the mem dialect to a registry.
void memShimRegisterDialect(MlirDialectRegistry registry);
/// The handle that `mlirGetDialectHandle__mem__` returns.
MlirDialectHandle memShimDialectHandle(void);

//===--- Diagnostics ------------------------------------------------------===//

/// A note of a diagnostic: its location and text.
typedef struct {
  MlirLocation location;
  MlirStringRef text;
} MemNote;

/// Emits a diagnostic of the given severity with notes.
void memShimEmit(MlirLocation location, MlirDiagnosticSeverity severity, MlirStringRef text,
                 size_t numNotes, const MemNote *notes);

/// A key and its value in an optimization remark.
typedef struct {
  MlirStringRef key;
  MlirStringRef value;
} MemRemarkArgument;

/// An optimization remark.
typedef struct {
  MlirLocation location;
  MlirStringRef category;
  MlirStringRef name;
  MlirStringRef function;
  /// Whether it reports a missed optimization; otherwise, it reports an analysis.
  bool isMissed;
  size_t numArguments;
  const MemRemarkArgument *arguments;
} MemRemark;

/// Whether the context has a remark engine whose filters accept remarks of a category, either those that
/// report missed optimizations or those that report analyses.
bool memShimWantsRemarks(MlirContext context, MlirStringRef category, bool isMissed);
/// Hands a remark to the remark engine of its context, if there is one and its filters accept it.
void memShimEmitRemark(const MemRemark *remark);

//===--- Symbols ----------------------------------------------------------===//

/// Called for every symbol use with the user and the root of the symbol reference.
typedef void (*MemSymbolCallback)(void *user, MlirOperation op, MlirStringRef symbol);

/// Enumerates the symbol uses inside an operation. Returns false if an unregistered operation that
/// may be a symbol table could hide some uses.
bool memShimSymbolUses(MlirOperation scope, MemSymbolCallback callback, void *user);

//===--- Cloning ----------------------------------------------------------===//

/// Copies an operation with its regions. The copy is not in any block.
MlirOperation memShimClone(MlirOperation op);

//===--- Inlining ---------------------------------------------------------===//

/// Called for every `func.call` among the inlined operations.
typedef void (*MemCallCallback)(void *user, MlirOperation call);

/// Replaces `call`, a `func.call`, with a copy of the body of `callee`, a `func.func` with a body.
/// `call` is in another function of the same symbol table. Returns false and changes nothing if the
/// dialects involved or the enclosing operations do not allow inlining.
bool memShimInlineCall(MlirOperation call, MlirOperation callee, MemCallCallback callback,
                       void *user);

//===--- Types ------------------------------------------------------------===//

typedef enum {
  MemTypeOther,
  MemTypeMemref,
  MemTypeBuffer,
  MemTypeArena,
  MemTypeToken
} MemTypeKind;

/// The bit width of type index in the data layout of an operation.
uint64_t memShimIndexBits(MlirOperation op);

/// Classifies a type that denotes storage. For a buffer, stores the size in bytes to `size`, or -1
/// if the size is known only at run time.
MemTypeKind memShimTypeKind(MlirType type, int64_t *size);

/// Whether a type denotes storage or contains a type that does, such as `!async.value<memref<...>>`;
/// stores the memory space of the first such type to `space`, null for the default one.
bool memShimTypeSpace(MlirType type, MlirAttribute *space);

/// Maps a memory space to another one; null is the default one.
typedef MlirAttribute (*MemSpaceCallback)(void *user, MlirAttribute space);
/// A type with the memory spaces of all storage in it mapped.
MlirType memShimMapTypeSpaces(MlirType type, MemSpaceCallback map, void *user);
/// Maps the memory spaces in all types of an operation and of the operations in its regions, types
/// in attributes included.
void memShimMapSpaces(MlirOperation op, MemSpaceCallback map, void *user);

//===--- The memory hierarchy ---------------------------------------------===//

/// A level of a `#mem.hierarchy`. Without a capacity, `capacity` is -1; without an alignment,
/// `alignment` is 1.
typedef struct {
  MlirStringRef name;
  int64_t capacity;
  int64_t alignment;
  /// Latencies in cycles, bandwidths in bytes per cycle; a bandwidth of 0 is unspecified.
  int64_t readLatency, writeLatency;
  double readBandwidth, writeBandwidth;
  /// The memory space; null if unspecified.
  MlirAttribute space;
} MemLevel;

/// Called for every level of a `#mem.hierarchy` attribute, fastest first.
typedef void (*MemLevelCallback)(void *user, MemLevel level);
void memShimHierarchyLevels(MlirAttribute hierarchy, MemLevelCallback callback, void *user);

/// Called for every pair of levels that an engine copies between.
typedef void (*MemLinkCallback)(void *user, MlirStringRef engine, MlirStringRef source,
                                MlirStringRef target);
void memShimHierarchyLinks(MlirAttribute hierarchy, MemLinkCallback callback, void *user);

/// Called for every level in which an operand is accepted.
typedef void (*MemOperandCallback)(void *user, MlirStringRef operation, int64_t index,
                                   MlirStringRef level);
void memShimHierarchyOperands(MlirAttribute hierarchy, MemOperandCallback callback, void *user);

/// The generic memory space; null if unspecified.
MlirAttribute memShimHierarchyGeneric(MlirAttribute hierarchy);

/// Arithmetic operations per cycle; 0 if unspecified.
double memShimHierarchyCompute(MlirAttribute hierarchy);

/// Whether the first load of a constant is free.
bool memShimHierarchyIsPreloaded(MlirAttribute hierarchy);

/// A link between ranks: latency in cycles, bandwidth in bytes per cycle. The only link of a hierarchy
/// that names none has an empty name.
typedef struct {
  MlirStringRef name;
  int64_t latency;
  double bandwidth;
  bool isDuplex;
} MemRankLink;

/// Called for every link between ranks.
typedef void (*MemRankLinkCallback)(void *user, MemRankLink link);
void memShimHierarchyRankLinks(MlirAttribute hierarchy, MemRankLinkCallback callback, void *user);

/// Numbers, which are valid during a callback.
typedef struct {
  const int64_t *data;
  size_t length;
} MemIntegers;

/// Messages that travel over a link. Without a kind, `kind` is empty; without a node, `node` is 0.
typedef struct {
  MlirStringRef link, kind;
  int64_t node;
  MemIntegers distances, peers, axes;
} MemRoute;

/// Called for every route.
typedef void (*MemRouteCallback)(void *user, MemRoute route);
void memShimHierarchyRoutes(MlirAttribute hierarchy, MemRouteCallback callback, void *user);

/// Called with the shape of the grid of ranks.
typedef void (*MemIntegersCallback)(void *user, MemIntegers shape);
void memShimHierarchyRanks(MlirAttribute hierarchy, MemIntegersCallback callback, void *user);

//===--- Tensors ----------------------------------------------------------===//

typedef enum { MemValueTensor, MemValueStorage } MemValueKind;

/// The first operation in `scope`, including itself, with an operand, a result or an argument of a
/// block that is a tensor or denotes storage; null if there is none.
MlirOperation memShimFirstWith(MlirOperation scope, MemValueKind kind);

/// Whether upstream's bufferization knows how to convert an operation.
bool memShimIsBufferizable(MlirOperation op);

/// Replaces every `tensor.pad` in an operation by operations that upstream bufferizes. Upstream's pass
/// that does the same runs on modules only. Returns false on failure, after emitting a diagnostic.
bool memShimLowerPads(MlirOperation op);

/// Removes the results of private functions that are always the same argument. Returns false on
/// failure, after emitting a diagnostic.
bool memShimDropEquivalentResults(MlirOperation module);

typedef bool (*MemFunctionCallback)(void *user, MlirOperation function);
/// Replaces the memrefs that functions return by arguments that the functions write, marked
/// `bufferize.result`, in those functions with a body for which `filter` returns true. Returns false
/// on failure, after emitting a diagnostic.
bool memShimResultsToArguments(MlirOperation module, MemFunctionCallback filter, void *user);

//===--- Value queries ----------------------------------------------------===//

/// A constant upper bound of a value of type index, or -1 if none is found by examining at most
/// `maxValues` of the values that it depends on.
int64_t memShimUpperBound(MlirValue value, size_t maxValues);

/// The trip count of the body of a structured operation, or -1 if unknown.
int64_t memShimIterations(MlirOperation op);

/// The number of inits of a structured operation, or -1 for others.
intptr_t memShimNumInits(MlirOperation op);

/// A memref type, as far as it can be answered at once.
typedef struct {
  MlirType element;
  intptr_t rank;
  /// Belongs to the type. Sizes known only at run time are marked as such.
  const int64_t *shape;
  bool isIdentity;
  bool isInDefaultSpace;
} MemRefShape;

/// Describes a ranked memref type. Returns false for others.
bool memShimMemRefShape(MlirType type, MemRefShape *shape);

/// The number of a `#mem.role`, as in the dialect's enumeration, or -1 for other attributes.
int32_t memShimRole(MlirAttribute attribute);

/// Whether an operation is pure and speculatable: it may run wherever its operands are available,
/// and more than once.
bool memShimIsPure(MlirOperation op);

//===--- Operation queries ------------------------------------------------===//

enum {
  /// The result is a view of `viewSource`.
  MemFactView = 1,
  /// Implements RegionBranchOpInterface, which describes the control flow into and between regions.
  MemFactRegionBranch = 2,
  /// Ends a block and branches to other blocks as described by BranchOpInterface.
  MemFactBranch = 4,
  /// Multiple executions of a region may run concurrently.
  MemFactParallel = 8,
  /// The memory effects are unknown.
  MemFactUnknownEffects = 16,
  MemFactTerminator = 32,
  /// Has an operand that denotes storage: a memref, a buffer or an arena.
  MemFactPointerOperand = 64,
  MemFactPointerResult = 128,
  /// Has a result that could hide a pointer or a completion token: a result that is neither a
  /// number, nor a vector of numbers, nor denotes storage.
  MemFactOpaqueResult = 256,
  /// A nested operation may have an operand that denotes storage, or unknown effects.
  MemFactNestedMemory = 512,
  /// Has a write effect.
  MemFactWrites = 1024,
  MemFactCall = 2048,
  /// The memory effects are the only use of the operands: no address is captured.
  MemFactStructured = 4096,
};

typedef struct {
  uint32_t flags;
  MlirValue viewSource;
} MemFacts;

typedef enum { MemEffectRead, MemEffectWrite, MemEffectAllocate, MemEffectFree } MemEffectKind;

/// Called for every effect on a value. `full`: the effect applies to every element of the value, in
/// every execution.
typedef void (*MemEffectCallback)(void *user, MlirValue value, MemEffectKind kind, bool full);

/// Returns all facts about one operation in a single call. Effects of nested operations are not
/// included.
MemFacts memShimDescribe(MlirOperation op, MemEffectCallback callback, void *user);

/// The source of a view; null if the operation is none.
MlirValue memShimViewSource(MlirOperation op);

/// Whether an operation is structured, as those of linalg.
bool memShimIsStructured(MlirOperation op);

/// Whether the operation is a named structured operation that accesses all operands by identity maps.
bool memShimIsElementwise(MlirOperation op);

typedef void (*MemAttributeCallback)(void *user, MlirStringRef name, MlirAttribute attribute);

/// Calls back for every attribute of an operation, discardable or inherent, in no particular order.
void memShimAttributes(MlirOperation op, MemAttributeCallback callback, void *user);

/// Whether two operations have the same name and are certain to have the same attributes.
bool memShimHasEqualAttributes(MlirOperation a, MlirOperation b);

/// Whether two operations are equivalent up to locations. Operands are compared by identity, except
/// for operand number `except`, which may differ; a negative `except` exempts no operand.
bool memShimIsEquivalent(MlirOperation a, MlirOperation b, intptr_t except);

/// Called for every edge of a branch, which passes values `from` to block arguments `to`. A null
/// `from` denotes a value that the branch itself produces.
typedef void (*MemBranchCallback)(void *user, MlirBlock target, size_t n, const MlirValue *from,
                                  const MlirValue *to);
void memShimBranchEdges(MlirOperation op, MemBranchCallback callback, void *user);

/// Called for every edge between the regions of an operation. `terminator` is null for an edge from
/// outside the operation; `region` is -1 for an edge that leaves the operation.
typedef void (*MemRegionCallback)(void *user, MlirOperation terminator, intptr_t region, size_t n,
                                  const MlirValue *from, const MlirValue *to);
void memShimRegionEdges(MlirOperation op, MemRegionCallback callback, void *user);

#ifdef __cplusplus
}
#endif

#endif // MEM_SHIM_H
