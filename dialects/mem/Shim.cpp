//===- Shim.cpp - C interface to C++-only parts of MLIR -------------------===//

#include "Shim.h"
#include "Bufferize.h"
#include "MemDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/Support/ThreadPool.h"

#include <deque>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {

/// Options declared at run time. `Parent` is Pass or PassOptions; `O` is its option template.
template <typename Parent, template <typename...> class O>
class DynamicOptions {
public:
  DynamicOptions(Parent &parent, const MemOptionSpec *specs, size_t n) {
    for (const MemOptionSpec &spec : ArrayRef(specs, n)) {
      StringRef value(spec.defaultValue);
      llvm::cl::desc about(spec.about);
      Slot &slot = slots.emplace_back();
      switch (spec.kind) {
      case MemOptionString:
      case MemOptionSize:
      case MemOptionChoice:
      case MemOptionHierarchy:
        slot.string = std::make_unique<O<std::string>>(
            parent, spec.name, about, llvm::cl::init(value.str()),
            llvm::cl::value_desc(spec.kind == MemOptionSize        ? "size"
                                 : spec.kind == MemOptionChoice    ? "name"
                                 : spec.kind == MemOptionHierarchy ? "name or file"
                                                                   : "string"));
        break;
      case MemOptionInteger: {
        int64_t number = 0;
        value.getAsInteger(10, number);
        slot.integer =
            std::make_unique<O<int64_t>>(parent, spec.name, about, llvm::cl::init(number));
        break;
      }
      case MemOptionBoolean:
        slot.boolean = std::make_unique<O<bool>>(parent, spec.name, about,
                                                 llvm::cl::init(value == "true"));
        break;
      }
    }
  }

  MlirStringRef string(size_t i) const { return wrap(StringRef(slots[i].string->getValue())); }
  int64_t integer(size_t i) const { return slots[i].integer->getValue(); }
  bool boolean(size_t i) const { return slots[i].boolean->getValue(); }

private:
  struct Slot {
    std::unique_ptr<O<std::string>> string;
    std::unique_ptr<O<int64_t>> integer;
    std::unique_ptr<O<bool>> boolean;
  };
  std::deque<Slot> slots;
};

template <typename... T>
using PassOption = Pass::Option<T...>;
template <typename... T>
using PipelineOption = mlir::detail::PassOptions::Option<T...>;

} // namespace

/// Appends a part of a text to a `std::string`.
static void append(MlirStringRef part, void *user) {
  *static_cast<std::string *>(user) += unwrap(part).str();
}

/// Analysis that holds the value a pass keeps for later passes; MLIR invalidates it on changes.
struct Kept {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Kept)
  explicit Kept(Operation *) {}
  Kept(const Kept &) = delete;
  ~Kept() {
    if (kept.data)
      kept.drop(kept.data);
  }
  MemKept kept{};
};

/// The only pass class; its spec defines its behavior.
struct MemPassRun final : public Pass {
  explicit MemPassRun(const MemPassSpec *spec)
      : Pass(TypeID::getFromOpaquePointer(spec), StringRef(spec->anchor)), spec(spec),
        options(*this, spec->options, spec->numOptions) {
    for (const MemStatisticSpec &s : ArrayRef(spec->statistics, spec->numStatistics))
      statistics.push_back(std::make_unique<Statistic>(this, s.name, s.about));
  }
  MemPassRun(const MemPassRun &other) : MemPassRun(other.spec) {}

  StringRef getName() const override { return spec->argument; }
  StringRef getArgument() const override { return spec->argument; }
  StringRef getDescription() const override { return spec->summary; }
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.getStringRef() == spec->anchor;
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    // Dialects of all operations that the passes create.
    registry.insert<mem::MemDialect, memref::MemRefDialect, arith::ArithDialect,
                    func::FuncDialect>();
    if (spec->bufferizes)
      mem::loadBufferization(registry);
  }
  LogicalResult
  initializeOptions(StringRef text,
                    function_ref<LogicalResult(const Twine &)> errorHandler) override {
    std::string complaint;
    if (!spec->check(spec->index, wrap(text), append, &complaint))
      return errorHandler(complaint);
    return Pass::initializeOptions(text, errorHandler);
  }
  void runOnOperation() override {
    isVerified = true;
    if (!spec->run(spec->index, this))
      return signalPassFailure();
    if (isVerified)
      return;
    // MLIR runs its verifier unless a pass has preserved all analyses. The analyses that this pass
    // has not preserved are dropped here, so that nothing is left for MLIR to drop.
    getAnalysisManager().invalidate(getPassState().preservedAnalyses);
    markAllAnalysesPreserved();
  }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<MemPassRun>(*this); }
  Operation *operation() { return getOperation(); }
  LogicalResult runPasses(OpPassManager &passes, Operation *op) { return runPipeline(passes, op); }
  MemKept *kept() { return &getAnalysis<Kept>().kept; }
  void preserve(bool all) {
    if (all)
      markAllAnalysesPreserved();
    else
      markAnalysesPreserved<Kept>();
  }

  const MemPassSpec *spec;
  DynamicOptions<Pass, PassOption> options;
  std::vector<std::unique_ptr<Statistic>> statistics;
  /// Whether MLIR's verifier runs after this run.
  bool isVerified = true;
};

struct MemOptionValues : public mlir::detail::PassOptions {
  explicit MemOptionValues(const MemPipelineSpec *spec)
      : options(*this, spec->options, spec->numOptions) {}
  DynamicOptions<mlir::detail::PassOptions, PipelineOption> options;
};

void memShimRegisterPass(const MemPassSpec *spec) {
  if (spec->bufferizes)
    mem::registerBufferizationPasses();
  registerPass([spec]() -> std::unique_ptr<Pass> { return std::make_unique<MemPassRun>(spec); });
}

MlirOperation memShimRunOperation(MemPassRun *run) { return wrap(run->operation()); }
MlirStringRef memShimRunString(MemPassRun *run, size_t i) { return run->options.string(i); }
int64_t memShimRunInteger(MemPassRun *run, size_t i) { return run->options.integer(i); }
bool memShimRunBoolean(MemPassRun *run, size_t i) { return run->options.boolean(i); }
void memShimRunSetStatistic(MemPassRun *run, size_t i, uint64_t value) {
  // The assignment operator of Pass::Statistic is 32-bit; byte counts need more.
  static_cast<llvm::Statistic &>(*run->statistics[i]) = value;
}

MemKept *memShimRunKept(MemPassRun *run) { return run->kept(); }
void memShimRunPreserve(MemPassRun *run, bool all) { run->preserve(all); }
void memShimRunSetVerified(MemPassRun *run, bool isVerified) { run->isVerified = isVerified; }

bool memShimVerifyDuring(MlirOperation wrapped, void (*work)(void *), void *user) {
  Operation *op = unwrap(wrapped);
  MLIRContext *context = op->getContext();
  if (!context->isMultithreadingEnabled()) {
    work(user);
    return succeeded(verify(op));
  }
  ParallelDiagnosticHandler handler(context);
  bool isValid = false;
  llvm::ThreadPoolTaskGroup verification(context->getThreadPool());
  verification.async([&] {
    handler.setOrderIDForThread(1);
    isValid = succeeded(verify(op));
    handler.eraseOrderIDForThread();
  });
  handler.setOrderIDForThread(0);
  work(user);
  handler.eraseOrderIDForThread();
  verification.wait();
  return isValid;
}

bool memShimRunPasses(MemPassRun *run, MlirOperation op, MlirStringRef passes,
                      MlirStringCallback sink, void *user) {
  std::string complaint;
  llvm::raw_string_ostream os(complaint);
  OpPassManager manager(unwrap(op)->getName().getStringRef());
  if (succeeded(parsePassPipeline(unwrap(passes), manager, os)))
    return succeeded(run->runPasses(manager, unwrap(op)));
  sink(wrap(StringRef(complaint)), user);
  return false;
}

/// An option of the command line of this process, if it has one of that name.
static llvm::cl::Option *commandLineOption(StringRef name) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find(name);
  return option == options.end() ? nullptr : option->second;
}

static bool isGiven(StringRef name) {
  llvm::cl::Option *option = commandLineOption(name);
  return option && option->getNumOccurrences() > 0;
}

bool memShimStatisticsAreLost() {
#if LLVM_ENABLE_STATS
  return false;
#else
  return isGiven("mlir-pass-statistics");
#endif
}

MlirStringRef memShimPipelineText() {
#ifdef __cpp_rtti
  // The host may have an option of this name and another type.
  if (auto *text = dynamic_cast<llvm::cl::opt<std::string> *>(commandLineOption("pass-pipeline")))
    return wrap(StringRef(text->getValue()));
#endif
  return wrap(StringRef());
}

bool memShimVerifiesDiagnostics() { return isGiven("verify-diagnostics"); }

MlirStringRef memShimOptionString(MemOptionValues *v, size_t i) { return v->options.string(i); }
int64_t memShimOptionInteger(MemOptionValues *v, size_t i) { return v->options.integer(i); }
bool memShimOptionBoolean(MemOptionValues *v, size_t i) { return v->options.boolean(i); }

void memShimRegisterPipeline(const MemPipelineSpec *spec) {
  registerPassPipeline(
      spec->argument, spec->summary,
      [spec](OpPassManager &manager, StringRef text,
             function_ref<LogicalResult(const Twine &)> errorHandler) -> LogicalResult {
        MemOptionValues values(spec);
        std::string complaint;
        llvm::raw_string_ostream os(complaint);
        if (!spec->check(spec->index, wrap(text), append, &complaint))
          return errorHandler(complaint);
        if (failed(values.parseFromString(text, os)))
          return errorHandler(complaint);
        std::string passes;
        spec->build(spec->index, &values, append, &passes);
        if (failed(parsePassPipeline(passes, manager, os)))
          return errorHandler(complaint);
        return success();
      },
      [spec](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(MemOptionValues(spec));
      });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void memShimRegisterDialect(MlirDialectRegistry registry) {
  unwrap(registry)->insert<mem::MemDialect>();
}

// Equivalent to MLIR_DEFINE_CAPI_DIALECT_REGISTRATION, but under a name that Rust can re-export: a
// shared library built by cargo exports only Rust symbols.
MlirDialectHandle memShimDialectHandle() {
  static const MlirDialectRegistrationHooks hooks = {
      memShimRegisterDialect,
      [](MlirContext context) {
        return wrap(static_cast<Dialect *>(unwrap(context)->getOrLoadDialect<mem::MemDialect>()));
      },
      [] { return wrap(mem::MemDialect::getDialectNamespace()); },
  };
  return {&hooks};
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void memShimEmit(MlirLocation location, MlirDiagnosticSeverity severity, MlirStringRef text,
                 size_t numNotes, const MemNote *notes) {
  Location at = unwrap(location);
  InFlightDiagnostic diagnostic = severity == MlirDiagnosticWarning  ? emitWarning(at)
                                  : severity == MlirDiagnosticRemark ? emitRemark(at)
                                                                     : emitError(at);
  diagnostic << unwrap(text);
  for (const MemNote &note : ArrayRef(notes, numNotes))
    diagnostic.attachNote(unwrap(note.location)) << unwrap(note.text);
}

bool memShimWantsRemarks(MlirContext wrapped, MlirStringRef category, bool isMissed) {
  MLIRContext *context = unwrap(wrapped);
  // mlir-opt creates an engine in any case, and the engine tells its filters by dropping a remark only.
  if (!context->getRemarkEngine())
    return false;
  auto options = remark::RemarkOpts::name("").category(unwrap(category));
  Location location = UnknownLoc::get(context);
  auto probe = std::make_unique<remark::detail::InFlightRemark>(
      isMissed ? remark::missed(location, options) : remark::analysis(location, options));
  if (!*probe)
    return false;
  // Its destructor would emit the remark. A few of them leak, where many are emitted.
  (void)probe.release();
  return true;
}

void memShimEmitRemark(const MemRemark *remark) {
  Location location = unwrap(remark->location);
  // Files of remarks know this kind of location only.
  if (auto inFile = location->findInstanceOf<FileLineColLoc>())
    location = inFile;
  auto options = remark::RemarkOpts::name(unwrap(remark->name))
                     .category(unwrap(remark->category))
                     .function(unwrap(remark->function));
  remark::detail::InFlightRemark emitted = remark->isMissed ? remark::missed(location, options)
                                                            : remark::analysis(location, options);
  for (const MemRemarkArgument &own : ArrayRef(remark->arguments, remark->numArguments))
    emitted << remark::detail::Remark::Arg(unwrap(own.key), unwrap(own.value));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

uint64_t memShimIndexBits(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  return DataLayout::closest(op).getTypeSizeInBits(IndexType::get(op->getContext()));
}

MemTypeKind memShimTypeKind(MlirType wrapped, int64_t *size) {
  Type type = unwrap(wrapped);
  if (isa<BaseMemRefType>(type))
    return MemTypeMemref;
  if (isa<mem::ArenaType>(type))
    return MemTypeArena;
  if (isa<mem::TokenType>(type))
    return MemTypeToken;
  auto buffer = dyn_cast<mem::BufferType>(type);
  if (!buffer)
    return MemTypeOther;
  *size = buffer.isDynamic() ? -1 : buffer.getSize();
  return MemTypeBuffer;
}

bool memShimTypeSpace(MlirType type, MlirAttribute *space) {
  std::optional<Attribute> found;
  unwrap(type).walk<WalkOrder::PreOrder>([&](Type inner) {
    if (auto memref = dyn_cast<BaseMemRefType>(inner))
      found = memref.getMemorySpace();
    else if (auto buffer = dyn_cast<mem::BufferType>(inner))
      found = buffer.getMemorySpace();
    else if (auto arena = dyn_cast<mem::ArenaType>(inner))
      found = arena.getMemorySpace();
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  *space = wrap(found.value_or(Attribute()));
  return found.has_value();
}

/// Replaces the memory spaces in types. Element types of memrefs are visited as well.
static AttrTypeReplacer spaceReplacer(MemSpaceCallback callback, void *user) {
  auto map = [=](Attribute space) { return unwrap(callback(user, wrap(space))); };
  AttrTypeReplacer replacer;
  replacer.addReplacement([=](MemRefType type) -> std::optional<Type> {
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                           map(type.getMemorySpace()));
  });
  replacer.addReplacement([=](UnrankedMemRefType type) -> std::optional<Type> {
    return UnrankedMemRefType::get(type.getElementType(), map(type.getMemorySpace()));
  });
  replacer.addReplacement([=](mem::BufferType type) -> std::optional<Type> {
    return mem::BufferType::get(type.getContext(), type.getSize(), map(type.getMemorySpace()));
  });
  replacer.addReplacement([=](mem::ArenaType type) -> std::optional<Type> {
    return mem::ArenaType::get(type.getContext(), map(type.getMemorySpace()));
  });
  return replacer;
}

MlirType memShimMapTypeSpaces(MlirType type, MemSpaceCallback map, void *user) {
  return wrap(spaceReplacer(map, user).replace(unwrap(type)));
}

void memShimMapSpaces(MlirOperation op, MemSpaceCallback map, void *user) {
  AttrTypeReplacer replacer = spaceReplacer(map, user);
  replacer.recursivelyReplaceElementsIn(unwrap(op), /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

//===----------------------------------------------------------------------===//
// The memory hierarchy
//===----------------------------------------------------------------------===//

void memShimHierarchyLevels(MlirAttribute hierarchy, MemLevelCallback callback, void *user) {
  auto latency = [](mem::CostAttr cost) { return cost ? cost.getLatency() : 0; };
  auto bandwidth = [](mem::CostAttr cost) {
    return cost ? cost.getBandwidth().getValueAsDouble() : 0.0;
  };
  if (auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy)))
    for (mem::LevelAttr level : attribute.getLevels())
      callback(user, {wrap(level.getName()), level.getCapacity().value_or(-1),
                      level.getAlignment().value_or(1), latency(level.getRead()),
                      latency(level.getWrite()), bandwidth(level.getRead()),
                      bandwidth(level.getWrite()), wrap(level.getSpace())});
}

MlirAttribute memShimHierarchyGeneric(MlirAttribute hierarchy) {
  auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy));
  return wrap(attribute ? attribute.getGeneric() : Attribute());
}

void memShimHierarchyLinks(MlirAttribute hierarchy, MemLinkCallback callback, void *user) {
  if (auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy)))
    for (mem::EngineAttr engine : attribute.getEngines())
      for (auto [source, target] : llvm::zip(engine.getSources(), engine.getTargets()))
        callback(user, wrap(engine.getName()), wrap(source.getValue()), wrap(target.getValue()));
}

void memShimHierarchyOperands(MlirAttribute hierarchy, MemOperandCallback callback, void *user) {
  if (auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy)))
    for (mem::OperandAttr operand : attribute.getOperands())
      for (StringAttr level : operand.getLevels())
        callback(user, wrap(operand.getOperation()), operand.getIndex(), wrap(level.getValue()));
}

double memShimHierarchyCompute(MlirAttribute hierarchy) {
  auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy));
  return attribute && attribute.getCompute() ? attribute.getCompute().getValueAsDouble() : 0.0;
}

bool memShimHierarchyIsPreloaded(MlirAttribute hierarchy) {
  auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy));
  return attribute && attribute.getPreloaded();
}

void memShimHierarchyRankLinks(MlirAttribute hierarchy, MemRankLinkCallback callback, void *user) {
  auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy));
  if (!attribute)
    return;
  auto call = [&](StringRef name, mem::CostAttr cost, bool isDuplex) {
    callback(user,
             {wrap(name), cost.getLatency(), cost.getBandwidth().getValueAsDouble(), isDuplex});
  };
  if (attribute.getLink())
    call("", attribute.getLink(), false);
  for (mem::LinkAttr link : attribute.getLinks())
    call(link.getName(), link.getCost(), link.getDuplex());
}

static MemIntegers integersOf(ArrayRef<int64_t> values) { return {values.data(), values.size()}; }

void memShimHierarchyRoutes(MlirAttribute hierarchy, MemRouteCallback callback, void *user) {
  if (auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy)))
    for (mem::RouteAttr route : attribute.getRoutes())
      callback(user, {wrap(route.getLink()), wrap(route.getKind()), route.getNode().value_or(0),
                      integersOf(route.getDistances()), integersOf(route.getPeers()),
                      integersOf(route.getAxes())});
}

void memShimHierarchyRanks(MlirAttribute hierarchy, MemIntegersCallback callback, void *user) {
  if (auto attribute = dyn_cast<mem::HierarchyAttr>(unwrap(hierarchy)))
    callback(user, integersOf(attribute.getRanks()));
}
