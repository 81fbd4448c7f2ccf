//===- Queries.cpp - Questions to MLIR's interfaces, in C -----------------===//

#include "MemDialect.h"
#include "Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The attributes of an operation, discardable and inherent. Unlike `getAttrDictionary`, it creates no
/// dictionary in the context.
static NamedAttrList attributesOf(Operation *op) {
  NamedAttrList attributes(op->getDiscardableAttrDictionary());
  op->getName().populateInherentAttrs(op, attributes);
  return attributes;
}

namespace {

/// The symbol references in attributes. Attributes are unique, so each is searched only once.
class SymbolReferences {
public:
  ArrayRef<SymbolRefAttr> in(Attribute attribute) {
    auto inserted = known.try_emplace(attribute);
    SmallVector<SymbolRefAttr, 0> &references = inserted.first->second;
    if (inserted.second)
      attribute.walk<WalkOrder::PreOrder>([&](SymbolRefAttr reference) {
        references.push_back(reference);
        // A nested reference is a part of this one.
        return WalkResult::skip();
      });
    return references;
  }

private:
  DenseMap<Attribute, SmallVector<SymbolRefAttr, 0>> known;
};

} // namespace

bool memShimSymbolUses(MlirOperation scope, MemSymbolCallback callback, void *user) {
  // As SymbolTable::getSymbolUses, but without a dictionary of the attributes of each operation.
  SymbolReferences references;
  for (Region &region : unwrap(scope)->getRegions()) {
    SmallVector<Region *> worklist = {&region};
    while (!worklist.empty()) {
      for (Operation &op : worklist.pop_back_val()->getOps()) {
        // An operation of an unregistered dialect may be a symbol table.
        if (op.getNumRegions() == 1 && !op.getDialect())
          return false;
        auto report = [&](NamedAttribute attribute) {
          for (SymbolRefAttr reference : references.in(attribute.getValue()))
            callback(user, wrap(&op), wrap(reference.getRootReference().getValue()));
        };
        // Structured operations and arithmetic have no symbols of their own, and neither have the
        // most frequent others.
        if (isa_and_nonnull<linalg::LinalgDialect, arith::ArithDialect, math::MathDialect>(
                op.getDialect()) ||
            isa<memref::AllocOp, memref::CopyOp, memref::DeallocOp, mem::BufferOp,
                mem::DescriptorOp, mem::ViewOp>(op))
          llvm::for_each(op.getDiscardableAttrs(), report);
        else
          llvm::for_each(attributesOf(&op), report);
        // Symbols in a nested table have another meaning.
        if (!op.hasTrait<OpTrait::SymbolTable>())
          for (Region &nested : op.getRegions())
            worklist.push_back(&nested);
      }
    }
  }
  return true;
}

namespace {

/// Structured operations of some kinds.
template <typename... Ops> struct Kinds {
  static bool contain(Operation *op) { return isa<Ops...>(op); }

  /// The outputs of an operation of one of these kinds, as its properties state them.
  static std::optional<OperandRange> outputsOf(Operation *op) {
    std::optional<OperandRange> outputs;
    (void)((isa<Ops>(op) && (outputs.emplace(cast<Ops>(op).getOutputs()), true)) || ...);
    return outputs;
  }
};

} // namespace

/// Named operations whose operands are all accessed by identity maps, except for those of rank 0, such as the
/// value of a fill: all iterations read them.
using Elementwise =
    Kinds<linalg::FillOp, linalg::CopyOp, linalg::AddOp, linalg::SubOp, linalg::MulOp,
          linalg::DivOp, linalg::DivUnsignedOp, linalg::MaxOp, linalg::MinOp, linalg::PowFOp,
          linalg::SelectOp, linalg::AbsOp, linalg::CeilOp, linalg::ErfOp, linalg::ExpOp,
          linalg::FloorOp, linalg::LogOp, linalg::NegFOp, linalg::ReciprocalOp, linalg::RoundOp,
          linalg::RsqrtOp, linalg::SqrtOp, linalg::SquareOp, linalg::TanhOp>;

bool memShimIsElementwise(MlirOperation op) {
  auto hasDimensions = [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && memref.getRank() > 0;
  };
  return Elementwise::contain(unwrap(op)) &&
         llvm::all_of(unwrap(op)->getOperandTypes(), hasDimensions);
}

/// The operands that a structured operation writes. To answer, the interface creates an attribute that
/// states the sizes of all operand groups.
static OperandRange initsOf(linalg::LinalgOp op) {
  if (auto outputs = Kinds<linalg::GenericOp>::outputsOf(op))
    return *outputs;
  if (auto outputs = Elementwise::outputsOf(op))
    return *outputs;
  return op.getDpsInitsMutable();
}

//===----------------------------------------------------------------------===//
// Value queries
//===----------------------------------------------------------------------===//

int64_t memShimUpperBound(MlirValue value, size_t maxValues) {
  auto isFarEnough = [&](Value, std::optional<int64_t>, ValueBoundsConstraintSet &) {
    return maxValues == 0 || --maxValues == 0;
  };
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, unwrap(value), isFarEnough, /*closedUB=*/true);
  return succeeded(bound) ? std::max(*bound, int64_t(0)) : -1;
}

int64_t memShimIterations(MlirOperation op) {
  auto structured = dyn_cast<linalg::LinalgOp>(unwrap(op));
  if (!structured)
    return -1;
  int64_t product = 1;
  for (int64_t range : structured.getStaticLoopRanges())
    if (ShapedType::isDynamic(range) || llvm::MulOverflow(product, range, product))
      return -1;
  return product;
}

intptr_t memShimNumInits(MlirOperation op) {
  auto structured = dyn_cast<linalg::LinalgOp>(unwrap(op));
  return structured ? intptr_t(initsOf(structured).size()) : -1;
}

/// Whether a layout is the identity. For strides, MLIR builds an affine map to answer.
static bool isIdentity(MemRefLayoutAttrInterface layout) {
  auto strided = dyn_cast<StridedLayoutAttr>(layout);
  if (!strided)
    return layout.isIdentity();
  // The map has one result, so that it is the identity in one dimension only.
  return strided.getOffset() == 0 && strided.getStrides() == ArrayRef<int64_t>{1};
}

bool memShimMemRefShape(MlirType type, MemRefShape *shape) {
  auto memref = dyn_cast<MemRefType>(unwrap(type));
  if (!memref)
    return false;
  *shape = {wrap(memref.getElementType()), intptr_t(memref.getRank()), memref.getShape().data(),
            isIdentity(memref.getLayout()), !memref.getMemorySpace()};
  return true;
}

int32_t memShimRole(MlirAttribute attribute) {
  auto role = dyn_cast<mem::RoleAttr>(unwrap(attribute));
  return role ? int32_t(role.getValue()) : -1;
}

bool memShimIsPure(MlirOperation op) { return isPure(unwrap(op)); }

//===----------------------------------------------------------------------===//
// Operation queries
//===----------------------------------------------------------------------===//

static bool isPointer(Type type) {
  return isa<BaseMemRefType, mem::BufferType, mem::ArenaType>(type);
}

static bool isNumber(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return type.isIntOrIndexOrFloat();
}

static bool touchesMemory(Operation &op) {
  return llvm::any_of(op.getOperandTypes(), isPointer) ||
         !(isa<MemoryEffectOpInterface>(op) ||
           op.hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
           op.hasTrait<OpTrait::IsTerminator>());
}

/// Whether the body of a structured operation runs at least once, as far as its types tell.
static bool runsOnce(linalg::LinalgOp op) {
  // The range of each loop is a dimension of an operand, so if all dimensions are known and positive,
  // the indexing maps need not be inverted.
  bool isPositive = llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto isPositive = [](ArrayRef<int64_t> shape) {
      return llvm::all_of(shape, [](int64_t n) { return n > 0; });
    };
    // The most frequent case needs no lookup of the interface.
    if (auto memref = dyn_cast<MemRefType>(type))
      return isPositive(memref.getShape());
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (shaped.hasRank() && isPositive(shaped.getShape()));
  });
  return isPositive || llvm::none_of(op.getStaticLoopRanges(), [](int64_t n) { return n <= 0; });
}

/// Whether every element of an init is written if the body runs.
static bool reachesAll(linalg::LinalgOp op, OpOperand &init) {
  // The maps of these operations are created at each question, and an init's is the identity.
  return Elementwise::contain(op) || op.getMatchingIndexingMap(&init).isProjectedPermutation();
}

/// Linalg's own effects report every operand as fully read or written. The effects reported here
/// follow from the payload and the indexing maps: an unused operand (a pooling window) is not read,
/// and an init is fully written only if its map reaches every element in at least one iteration.
static void describeLinalg(linalg::LinalgOp op, MemEffectCallback callback, void *user) {
  bool runs = runsOnce(op);
  OperandRange inits = initsOf(op);
  unsigned firstInit = inits.empty() ? 0 : inits.getBeginOperandIndex();
  auto isInit = [&](OpOperand &operand) {
    return operand.getOperandNumber() - firstInit < inits.size();
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (op.payloadUsesValueFromOperand(&operand))
      callback(user, wrap(operand.get()), MemEffectRead, true);
    if (isInit(operand)) {
      bool full = runs && reachesAll(op, operand);
      callback(user, wrap(operand.get()), MemEffectWrite, full);
    }
  }
}

static void describeEffects(Operation *op, uint32_t &flags, MemEffectCallback callback,
                            void *user) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    flags |= MemFactWrites | MemFactStructured;
    return describeLinalg(linalgOp, callback, user);
  }
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      flags |= MemFactUnknownEffects;
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    if (writes)
      flags |= MemFactWrites;
    if (Value value = effect.getValue())
      callback(user, wrap(value),
               isa<MemoryEffects::Read>(effect.getEffect())       ? MemEffectRead
               : writes                                           ? MemEffectWrite
               : isa<MemoryEffects::Allocate>(effect.getEffect()) ? MemEffectAllocate
                                                                  : MemEffectFree,
               effect.getEffectOnFullRegion());
    else if (!isa<MemoryEffects::Allocate>(effect.getEffect()))
      flags |= MemFactUnknownEffects; // The effect may be on any operand.
  }
}

static Value viewSource(Operation *op) {
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource();
  // The only view in its dialect that does not implement ViewLikeOpInterface.
  if (auto transpose = dyn_cast<memref::TransposeOp>(op))
    return transpose.getIn();
  return {};
}

MlirValue memShimViewSource(MlirOperation op) { return wrap(viewSource(unwrap(op))); }

bool memShimIsStructured(MlirOperation op) { return isa<linalg::LinalgOp>(unwrap(op)); }

void memShimAttributes(MlirOperation op, MemAttributeCallback callback, void *user) {
  for (NamedAttribute attribute : attributesOf(unwrap(op)))
    callback(user, wrap(attribute.getName().getValue()), wrap(attribute.getValue()));
}

bool memShimHasEqualAttributes(MlirOperation wrappedA, MlirOperation wrappedB) {
  Operation *a = unwrap(wrappedA), *b = unwrap(wrappedB);
  return a->getName() == b->getName() &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary() &&
         a->getName().compareOpProperties(a->getPropertiesStorage(), b->getPropertiesStorage());
}

MemFacts memShimDescribe(MlirOperation wrapped, MemEffectCallback callback, void *user) {
  Operation *op = unwrap(wrapped);
  MemFacts facts{0, wrap(viewSource(op))};
  auto set = [&](bool holds, uint32_t flag) { facts.flags |= holds ? flag : 0; };
  set(!mlirValueIsNull(facts.viewSource), MemFactView);
  set(isa<RegionBranchOpInterface>(op), MemFactRegionBranch);
  set(isa<BranchOpInterface>(op), MemFactBranch);
  set(op->hasTrait<OpTrait::HasParallelRegion>(), MemFactParallel);
  set(op->hasTrait<OpTrait::IsTerminator>(), MemFactTerminator);
  set(isa<CallOpInterface>(op), MemFactCall);
  for (Type type : op->getOperandTypes())
    set(isPointer(type), MemFactPointerOperand);
  for (Type type : op->getResultTypes()) {
    set(isPointer(type), MemFactPointerResult);
    set(!isPointer(type) && !isNumber(type), MemFactOpaqueResult);
  }
  // Callers descend into structured control flow level by level. Walking it here as well would make
  // the cost quadratic in the nesting depth.
  if (isa<RegionBranchOpInterface>(op))
    facts.flags |= MemFactNestedMemory;
  else
    for (Region &region : op->getRegions())
      region.walk([&](Operation *nested) {
        if (!touchesMemory(*nested))
          return WalkResult::advance();
        facts.flags |= MemFactNestedMemory;
        return WalkResult::interrupt();
      });
  describeEffects(op, facts.flags, callback, user);
  return facts;
}

bool memShimIsEquivalent(MlirOperation a, MlirOperation b, intptr_t except) {
  DenseMap<Value, Value> equal;
  if (except >= 0)
    equal[unwrap(a)->getOperand(except)] = unwrap(b)->getOperand(except);
  auto check = [&](Value ofA, Value ofB) {
    auto it = equal.find(ofA);
    return success(it == equal.end() ? ofA == ofB : it->second == ofB);
  };
  auto mark = [&](Value ofA, Value ofB) { equal[ofA] = ofB; };
  return OperationEquivalence::isEquivalentTo(unwrap(a), unwrap(b), check, mark,
                                              OperationEquivalence::IgnoreLocations);
}

void memShimBranchEdges(MlirOperation wrapped, MemBranchCallback callback, void *user) {
  auto branch = cast<BranchOpInterface>(unwrap(wrapped));
  for (auto [index, target] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    SmallVector<MlirValue> from, to;
    for (unsigned i = 0, n = operands.size(); i != n; ++i) {
      from.push_back(wrap(operands[i]));
      to.push_back(wrap(Value(target->getArgument(i))));
    }
    callback(user, wrap(target), from.size(), from.data(), to.data());
  }
}

void memShimRegionEdges(MlirOperation wrapped, MemRegionCallback callback, void *user) {
  auto op = cast<RegionBranchOpInterface>(unwrap(wrapped));
  for (RegionBranchPoint point : op.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    op.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors) {
      SmallVector<MlirValue> from, to;
      for (Value value : op.getSuccessorOperands(point, successor))
        from.push_back(wrap(value));
      for (Value value : successor.getSuccessorInputs())
        to.push_back(wrap(value));
      Operation *terminator = point.getTerminatorPredecessorOrNull();
      intptr_t region =
          successor.isParent() ? -1 : intptr_t(successor.getSuccessor()->getRegionNumber());
      callback(user, wrap(terminator), region, std::min(from.size(), to.size()), from.data(),
               to.data());
    }
  }
}
