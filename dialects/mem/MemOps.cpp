//! The parts of the mem dialect's operations that ODS cannot express: verifiers, effects that
//! depend on operands, and one folder. No policy.

#include "MemDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <string>

using namespace mlir;
using namespace mlir::mem;

/// Parses the optional `async` of a transfer, represented by the token type.
static ParseResult parseAsync(OpAsmParser &parser, Type &tokenType) {
  if (succeeded(parser.parseOptionalKeyword("async")))
    tokenType = TokenType::get(parser.getContext());
  return success();
}

static void printAsync(OpAsmPrinter &printer, Operation *, Type tokenType) {
  if (tokenType)
    printer << " async";
}

/// Parses the positions of a kernel's `in_place`, such as `[0, 2]`.
static ParseResult parsePositions(OpAsmParser &parser, DenseI64ArrayAttr &positions) {
  positions = dyn_cast_if_present<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, Type()));
  return success(static_cast<bool>(positions));
}

static void printPositions(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr positions) {
  positions.print(printer);
}

/// Parses a number of bytes: an integer or a value.
static ParseResult parseBytes(OpAsmParser &parser, IntegerAttr &constant,
                              std::optional<OpAsmParser::UnresolvedOperand> &value) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  if (!parsed.has_value())
    return parser.parseAttribute(constant, parser.getBuilder().getI64Type());
  value = operand;
  return *parsed;
}

static void printBytes(OpAsmPrinter &printer, Operation *, IntegerAttr constant, Value value) {
  if (value)
    printer << value;
  else
    printer << constant.getInt();
}

/// Parses the bounds of a view without the brackets: `2048` or `%offset, %size`.
static ParseResult parseBounds(OpAsmParser &parser, IntegerAttr &offset,
                               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &bounds) {
  std::optional<OpAsmParser::UnresolvedOperand> value;
  if (failed(parseBytes(parser, offset, value)))
    return failure();
  if (value)
    bounds.push_back(*value);
  return failed(parser.parseOptionalComma()) ? success()
                                             : parser.parseOperand(bounds.emplace_back());
}

static void printBounds(OpAsmPrinter &printer, Operation *, IntegerAttr offset,
                        OperandRange bounds) {
  if (offset)
    printer << offset.getInt();
  if (offset && !bounds.empty())
    printer << ", ";
  printer << bounds;
}

#define GET_OP_CLASSES
#include "MemOps.cpp.inc"

/// The reason why something is invalid; empty if valid. Folders perform the same checks as
/// verifiers but must not emit diagnostics.
using Violation = std::optional<std::string>;

/// Concatenates parts that can be written to a stream.
template <typename... Parts>
static std::string concat(const Parts &...parts) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  (stream << ... << parts);
  return text;
}

//===----------------------------------------------------------------------===//
// Memory layout of memrefs
//===----------------------------------------------------------------------===//

/// Whether DataLayout defines the size of elements of this type.
static bool hasKnownSize(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return hasKnownSize(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() > 0 && !vector.isScalable() && hasKnownSize(vector.getElementType());
  return type.isIntOrIndexOrFloat();
}

std::optional<int64_t> mem::getElementBytes(Type elementType, const DataLayout &layout) {
  if (!hasKnownSize(elementType))
    return std::nullopt;
  uint64_t size = layout.getTypeSize(elementType).getFixedValue();
  return static_cast<int64_t>(llvm::alignTo(size, layout.getTypeABIAlignment(elementType)));
}

FailureOr<std::optional<int64_t>> mem::getSpanInBytes(MemRefType type, const DataLayout &layout) {
  std::optional<int64_t> unknown;
  if (llvm::is_contained(type.getShape(), 0))
    return std::optional<int64_t>(0);
  std::optional<int64_t> elementBytes = getElementBytes(type.getElementType(), layout);
  if (!elementBytes)
    return unknown;
  bool overflow = false;
  int64_t nElements = 1, last = 0;
  // The identity layout is handled via sizes: MLIR computes its strides slowly, and does not check
  // them for overflow.
  bool identity = type.getLayout().isIdentity();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (identity)
    strides.assign(type.getRank(), 1);
  else if (failed(type.getStridesAndOffset(strides, offset)))
    return unknown;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    if (ShapedType::isDynamic(size))
      return unknown;
    if (identity) {
      overflow |= llvm::MulOverflow(nElements, size, nElements);
      continue;
    }
    if (size == 1)
      continue;
    if (ShapedType::isDynamic(stride))
      return unknown;
    int64_t steps;
    overflow |= llvm::MulOverflow(size - 1, stride, steps);
    overflow |= llvm::AddOverflow(last, steps, last);
  }
  if (!identity)
    overflow |= llvm::AddOverflow(last, int64_t(1), nElements);
  int64_t bytes;
  overflow |= llvm::MulOverflow(nElements, *elementBytes, bytes);
  if (overflow)
    return failure();
  return std::optional<int64_t>(bytes);
}

/// The reason why a memref does not fit in a `place` of `available` bytes (unknown if absent) that
/// starts `offset` bytes (unknown if absent) after the start of its `holder`.
static Violation findLayoutViolation(MemRefType type, std::optional<int64_t> offset,
                                     std::optional<int64_t> available, StringRef place,
                                     StringRef holder, const DataLayout &layout) {
  SmallVector<int64_t> strides;
  int64_t first = 0;
  // The strides of the identity layout are not needed, and MLIR computes them slowly.
  if (!type.getLayout().isIdentity() && failed(type.getStridesAndOffset(strides, first)))
    return concat("layout of '", type, "' must be the identity or strided");
  for (int64_t stride : strides)
    if (!ShapedType::isDynamic(stride) && stride < 0)
      return concat("stride ", stride, " of '", type, "' must not be negative");
  FailureOr<std::optional<int64_t>> span = getSpanInBytes(type, layout);
  if (failed(span))
    return concat("bytes of '", type, "' overflow 64 bits");
  if (*span && available && **span > *available)
    return concat("'", type, "' spans ", **span, " bytes, but the ", place, " has only ",
                  *available);
  if (ShapedType::isDynamic(first))
    return std::nullopt;
  if (first < 0)
    return concat("layout offset ", first, " of '", type, "' must not be negative");
  std::optional<int64_t> elementBytes = getElementBytes(type.getElementType(), layout);
  if (!elementBytes || !offset)
    return std::nullopt;
  int64_t before;
  if (llvm::MulOverflow(first, *elementBytes, before) || before > *offset)
    return concat("layout offset ", first, " of '", type, "' would start the memref ", first, " * ",
                  *elementBytes, " bytes before byte ", *offset, ", outside its ", holder);
  return std::nullopt;
}

/// The reason why `[offset, offset + size)` is not within the `available` bytes of a `holder`.
static Violation findRangeViolation(int64_t offset, int64_t size, int64_t available,
                                    StringRef holder) {
  int64_t end;
  if (llvm::AddOverflow(offset, size, end))
    return concat("offset ", offset, " plus size ", size, " overflows 64 bits");
  if (end > available)
    return concat("bytes [", offset, ", ", end, ") are outside the ", available, " bytes of the ",
                  holder);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName().value_or(""));
}

LogicalResult BufferOp::verify() {
  if (getType().isDynamic() != static_cast<bool>(getDynamicSize()))
    return emitOpError(getDynamicSize() ? "has a size as operand, but its type states one"
                                        : "expects its size as operand, for its type does not "
                                          "state it");
  return success();
}

//===----------------------------------------------------------------------===//
// DescriptorOp
//===----------------------------------------------------------------------===//

/// The bound of a descriptor with the given index, if constant.
static std::optional<int64_t> getStaticBound(DescriptorOp op, unsigned index) {
  int64_t bound = op.getStaticBounds()[index];
  return ShapedType::isDynamic(bound) ? std::nullopt : std::optional<int64_t>(bound);
}

std::optional<int64_t> DescriptorOp::getStaticOffset() { return getStaticBound(*this, 0); }
std::optional<int64_t> DescriptorOp::getStaticSize() { return getStaticBound(*this, 1); }
Value DescriptorOp::getViewSource() { return getBuffer(); }

/// The reason why a descriptor cannot have these bounds; an absent bound is unknown.
static Violation findBoundsViolation(DescriptorOp op, std::optional<int64_t> offset,
                                     std::optional<int64_t> size) {
  if (offset && *offset < 0)
    return concat("offset must not be negative, got ", *offset);
  if (size && *size < 0)
    return concat("size must not be negative, got ", *size);
  auto type = cast<MemRefType>(op.getType());
  DataLayout layout = DataLayout::closest(op);
  mem::BufferType buffer = op.getBuffer().getType();
  int64_t available =
      buffer.isDynamic() ? std::numeric_limits<int64_t>::max() : buffer.getSize();
  if (Violation violation =
          findRangeViolation(offset.value_or(0), size.value_or(0), available, "buffer"))
    return violation;
  if (size)
    return findLayoutViolation(type, offset, size, "descriptor", "buffer", layout);
  return findLayoutViolation(type, offset, available - offset.value_or(0), "rest of the buffer",
                             "buffer", layout);
}

/// The reason why storage in memory space `from` cannot be viewed in memory space `to`. Storage
/// without a space may be viewed in any: the space of its level is not known yet.
static Violation findSpaceViolation(Attribute from, Attribute to, StringRef what) {
  if (!from || from == to)
    return std::nullopt;
  // Types print integers without their type, too.
  auto text = [](Attribute space) {
    auto integer = dyn_cast<IntegerAttr>(space);
    return integer ? concat(integer.getValue()) : concat(space);
  };
  if (!to)
    return concat("is in the default memory space, but its ", what, " is in ", text(from));
  return concat("is in memory space ", text(to), ", but its ", what, " is in ", text(from));
}

LogicalResult DescriptorOp::verify() {
  if (Violation violation =
          findSpaceViolation(getBuffer().getType().getMemorySpace(),
                             cast<MemRefType>(getType()).getMemorySpace(), "buffer"))
    return emitOpError(*violation);
  if (getStaticBounds().size() != 2)
    return emitOpError("expects two bounds, an offset and a size, got ")
           << getStaticBounds().size();
  auto nDynamic = llvm::count_if(getStaticBounds(), ShapedType::isDynamic);
  if (static_cast<size_t>(nDynamic) != getBounds().size())
    return emitOpError("has ")
           << nDynamic << " bounds that are not static, but " << getBounds().size() << " operands";
  if (Violation violation = findBoundsViolation(*this, getStaticOffset(), getStaticSize()))
    return emitOpError(*violation);
  return success();
}

/// Makes bounds with constant operands static. A bound whose constant would be an error stays
/// dynamic: such an operation is never executed.
OpFoldResult DescriptorOp::fold(FoldAdaptor adaptor) {
  SmallVector<int64_t> bounds(getStaticBounds());
  SmallVector<Value> dynamic;
  auto known = [&](unsigned index) {
    return ShapedType::isDynamic(bounds[index]) ? std::nullopt
                                                : std::optional<int64_t>(bounds[index]);
  };
  unsigned operand = 0;
  for (int64_t &bound : bounds) {
    if (!ShapedType::isDynamic(bound))
      continue;
    if (auto value = dyn_cast_if_present<IntegerAttr>(adaptor.getBounds()[operand]))
      bound = value.getInt();
    if (ShapedType::isDynamic(bound) || findBoundsViolation(*this, known(0), known(1))) {
      bound = ShapedType::kDynamic;
      dynamic.push_back(getBounds()[operand]);
    }
    ++operand;
  }
  if (dynamic.size() == getBounds().size())
    return {};
  getBoundsMutable().assign(dynamic);
  setStaticBounds(bounds);
  return getResult();
}

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // Order of a kernel's accesses: read the uses, compute in the workspace, write the definitions.
  enum Stage { Reading, Scribbling, Rereading, Writing };
  auto add = [&](MutableOperandRange group, auto *effect, Stage stage, bool full) {
    for (OpOperand &operand : group)
      effects.emplace_back(effect, &operand, stage, full, SideEffects::DefaultResource::get());
  };
  bool certain = !getPredicate();
  add(getUsesMutable(), MemoryEffects::Read::get(), Reading, true);
  add(getMayUsesMutable(), MemoryEffects::Read::get(), Reading, false);
  add(getWorkspaceMutable(), MemoryEffects::Write::get(), Scribbling, false);
  add(getWorkspaceMutable(), MemoryEffects::Read::get(), Rereading, false);
  add(getDefinesMutable(), MemoryEffects::Write::get(), Writing, certain);
  add(getMayDefinesMutable(), MemoryEffects::Write::get(), Writing, false);
}

namespace {
/// An operand of a kernel and its operand group.
struct KernelOperand {
  Value value;
  StringRef group;
  unsigned index;

  /// The bytes of a buffer that the operand covers, if it is a descriptor with constant bounds.
  struct Range {
    Value buffer;
    int64_t begin, end;
  };
  std::optional<Range> getRange() const {
    auto descriptor = value.getDefiningOp<DescriptorOp>();
    // A descriptor that does not dominate the kernel is not verified yet.
    if (!descriptor || descriptor.getStaticBounds().size() != 2)
      return std::nullopt;
    std::optional<int64_t> begin = descriptor.getStaticOffset();
    std::optional<int64_t> size = descriptor.getStaticSize();
    int64_t end;
    if (!begin || !size || llvm::AddOverflow(*begin, *size, end))
      return std::nullopt;
    return Range{descriptor.getBuffer(), *begin, end};
  }
};
} // namespace

static LogicalResult verifyDisjoint(KernelOp op) {
  SmallVector<KernelOperand> operands;
  auto add = [&](StringRef group, OperandRange values) {
    for (auto [index, value] : llvm::enumerate(values))
      operands.push_back({value, group, static_cast<unsigned>(index)});
  };
  add("uses", op.getUses());
  add("defines", op.getDefines());
  add("may_uses", op.getMayUses());
  add("may_defines", op.getMayDefines());
  add("workspace", op.getWorkspace());
  for (auto [i, second] : llvm::enumerate(operands)) {
    std::optional<KernelOperand::Range> b = second.getRange();
    for (const KernelOperand &first : ArrayRef(operands).take_front(i)) {
      std::optional<KernelOperand::Range> a = first.getRange();
      if (!a || !b || a->buffer != b->buffer ||
          std::max(a->begin, b->begin) >= std::min(a->end, b->end))
        continue;
      InFlightDiagnostic error = op.emitOpError("asserts that its operands are disjoint, but ");
      error << first.group << " #" << first.index << ", bytes [" << a->begin << ", " << a->end
            << "), and " << second.group << " #" << second.index << ", bytes [" << b->begin
            << ", " << b->end << "), overlap in the same buffer";
      error.attachNote(second.value.getLoc())
          << second.group << " #" << second.index << " is defined here";
      return error;
    }
  }
  return success();
}

LogicalResult KernelOp::verify() {
  llvm::DenseSet<int64_t> seen;
  for (int64_t index : getInPlace().value_or(ArrayRef<int64_t>())) {
    if (index < 0 || index >= static_cast<int64_t>(getUses().size()))
      return emitOpError("in_place index ")
             << index << " is not that of one of the " << getUses().size() << " uses";
    if (!seen.insert(index).second)
      return emitOpError("in_place index ") << index << " is given twice";
  }
  return getDisjoint() ? verifyDisjoint(*this) : success();
}

//===----------------------------------------------------------------------===//
// ArenaOp, ViewOp, SliceOp
//===----------------------------------------------------------------------===//

void ArenaOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), getLevel()); }

LogicalResult ArenaOp::verify() {
  if (getLevel().empty())
    return emitOpError("must name the level it is in");
  if (getSize().has_value() == static_cast<bool>(getDynamicSize()))
    return emitOpError("expects one size, an attribute or an operand");
  return success();
}

/// The size of an arena in bytes, if its defining operation specifies a constant size.
static std::optional<int64_t> getArenaBytes(Value arena) {
  if (auto op = arena.getDefiningOp<ArenaOp>())
    return op.getSize();
  if (auto op = arena.getDefiningOp<SliceOp>())
    return op.getSize();
  return std::nullopt;
}

void ViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getName().value_or(""));
}

Value ViewOp::getViewSource() { return getArena(); }

/// The reason why a memref of this type cannot start at byte `offset` (unknown if absent) of an
/// arena of `limit` bytes.
static Violation findViewViolation(MemRefType type, std::optional<int64_t> offset, int64_t limit,
                                   const DataLayout &layout) {
  SmallVector<int64_t> strides;
  int64_t first;
  bool isStrided = !type.getLayout().isIdentity() &&
                   succeeded(type.getStridesAndOffset(strides, first));
  if (!type.hasStaticShape() || (isStrided && llvm::any_of(strides, ShapedType::isDynamic)))
    return concat("'", type, "' must have a static shape and static strides");
  if (Violation violation = findLayoutViolation(type, offset, std::nullopt, "", "arena", layout))
    return violation;
  return findRangeViolation(offset.value_or(0), getSpanInBytes(type, layout)->value_or(0), limit,
                            "arena");
}

LogicalResult ViewOp::verify() {
  auto memref = dyn_cast<MemRefType>(getType());
  auto buffer = dyn_cast<BufferType>(getType());
  bool hasDynamicSize = buffer && buffer.isDynamic();
  size_t expected = (getOffset() ? 0 : 1) + (hasDynamicSize ? 1 : 0);
  if (getBounds().size() != expected)
    return emitOpError("expects ") << expected << " operands beside its arena, got "
                                   << getBounds().size();
  std::optional<int64_t> offset = getOffset();
  int64_t limit = getArenaBytes(getArena()).value_or(std::numeric_limits<int64_t>::max());
  if (std::optional<uint64_t> alignment = getAlignment(); alignment && offset.value_or(0) % *alignment)
    return emitOpError("offset ") << *offset << " is not a multiple of the alignment "
                                  << *alignment;
  Violation violation =
      memref ? findViewViolation(memref, offset, limit, DataLayout::closest(*this))
             : findRangeViolation(offset.value_or(0), hasDynamicSize ? 0 : buffer.getSize(), limit,
                                  "arena");
  if (!violation)
    violation = findSpaceViolation(getArena().getType().getMemorySpace(),
                                   memref ? memref.getMemorySpace() : buffer.getMemorySpace(),
                                   "arena");
  if (violation)
    return emitOpError(*violation);
  auto space = dyn_cast_if_present<SpaceAttr>(memref ? memref.getMemorySpace()
                                                     : buffer.getMemorySpace());
  auto arena = getArena().getDefiningOp<ArenaOp>();
  if (space && arena && space.getLevel() != arena.getLevel())
    return emitOpError("is in memory space '")
           << space.getLevel() << "', but its arena is in '" << arena.getLevel() << "'";
  return success();
}

Value SliceOp::getViewSource() { return getArena(); }

LogicalResult SliceOp::verify() {
  if (getType() != getArena().getType())
    return emitOpError("expects the type of its arena, ") << getArena().getType() << ", got "
                                                          << getType();
  if (getOffset().has_value() == static_cast<bool>(getDynamicOffset()))
    return emitOpError("expects one offset, an attribute or an operand");
  int64_t limit = getArenaBytes(getArena()).value_or(std::numeric_limits<int64_t>::max());
  if (Violation violation = findRangeViolation(getOffset().value_or(0), getSize(), limit, "arena"))
    return emitOpError(*violation);
  return success();
}

//===----------------------------------------------------------------------===//
// RotateOp
//===----------------------------------------------------------------------===//

LogicalResult RotateOp::verify() {
  if (getSlots().size() <= getAvoiding().size())
    return emitOpError("expects at least ")
           << getAvoiding().size() + 1 << " slots to avoid " << getAvoiding().size()
           << " memrefs, got " << getSlots().size();
  llvm::DenseSet<Value> seen;
  for (auto [index, slot] : llvm::enumerate(getSlots()))
    if (!seen.insert(slot).second)
      return emitOpError("slot #") << index << " is the same as an earlier one";
  return success();
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// Verifies the properties common to all transfers.
static LogicalResult verifyTransfer(Operation *op) {
  Value source = op->getOperand(0), target = op->getOperand(1);
  auto from = cast<MemRefType>(source.getType()), to = cast<MemRefType>(target.getType());
  if (source == target)
    return op->emitOpError("source and target must not be the same value");
  if (from.getElementType() != to.getElementType() || from.getShape() != to.getShape())
    return op->emitOpError("source ")
           << from << " and target " << to << " must have the same shape and element type";
  if (!from.hasStaticShape())
    return op->emitOpError("must transfer a static number of elements, got ") << from;
  return success();
}

LogicalResult LoadOp::verify() { return verifyTransfer(*this); }
LogicalResult StoreOp::verify() { return verifyTransfer(*this); }
LogicalResult SwapOp::verify() { return verifyTransfer(*this); }
LogicalResult MoveOp::verify() { return verifyTransfer(*this); }

LogicalResult WaitOp::verify() {
  if (getTokens().empty())
    return emitOpError("expects at least one token");
  return success();
}
