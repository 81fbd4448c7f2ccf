//! The parts of the mem dialect's types that ODS cannot express: verifiers, and the assembly format
//! of sizes and memory spaces. No policy.

#include "MemDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mem;

using EmitError = function_ref<InFlightDiagnostic()>;

/// A size in bytes, or `?` for a size known only at run time.
static ParseResult parseBufferSize(AsmParser &parser, int64_t &size) {
  if (succeeded(parser.parseOptionalQuestion())) {
    size = ShapedType::kDynamic;
    return success();
  }
  SMLoc at = parser.getCurrentLocation();
  if (failed(parser.parseInteger(size)))
    return failure();
  if (size < 0)
    return parser.emitError(at) << "size of a buffer must not be negative, got " << size;
  return success();
}

static void printBufferSize(AsmPrinter &printer, int64_t size) {
  if (ShapedType::isDynamic(size))
    printer << '?';
  else
    printer << size;
}

/// The integer 0 stands for the default memory space, as in the types of memrefs.
static Attribute dropDefaultSpace(Attribute space) {
  auto integer = dyn_cast_if_present<IntegerAttr>(space);
  return integer && integer.getValue().isZero() ? Attribute() : space;
}

static ParseResult parseSpace(AsmParser &parser, Attribute &space) {
  if (parser.parseAttribute(space))
    return failure();
  space = dropDefaultSpace(space);
  return success();
}

void mem::printSpace(AsmPrinter &printer, Attribute space) {
  if (auto integer = dyn_cast<IntegerAttr>(space); integer && integer.getType().isInteger(64))
    printer << integer.getInt();
  else
    printer.printAttribute(space);
}

#define GET_TYPEDEF_CLASSES
#include "MemTypes.cpp.inc"

void MemDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "MemTypes.cpp.inc"
      >();
}

LogicalResult mem::verifySpace(EmitError emitError, Attribute space) {
  if (!space)
    return success();
  if (auto integer = dyn_cast<IntegerAttr>(space); integer && integer.getValue().isNegative())
    return emitError() << "a memory space must not be negative, got " << integer;
  auto byte = IntegerType::get(space.getContext(), 8);
  return success(static_cast<bool>(
      MemRefType::getChecked(emitError, ArrayRef<int64_t>{1}, byte, MemRefLayoutAttrInterface(), space)));
}

Type BufferType::parse(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  int64_t size;
  Attribute space;
  if (parser.parseLess() || parseBufferSize(parser, size) ||
      (succeeded(parser.parseOptionalComma()) && parseSpace(parser, space)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(location, parser.getContext(), size, space);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printBufferSize(printer, getSize());
  if (getMemorySpace()) {
    printer << ", ";
    printSpace(printer, getMemorySpace());
  }
  printer << '>';
}

Type ArenaType::parse(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  Attribute space;
  if (succeeded(parser.parseOptionalLess()) &&
      (parseSpace(parser, space) || parser.parseGreater()))
    return {};
  return parser.getChecked<ArenaType>(location, parser.getContext(), space);
}

void ArenaType::print(AsmPrinter &printer) const {
  if (!getMemorySpace())
    return;
  printer << '<';
  printSpace(printer, getMemorySpace());
  printer << '>';
}

LogicalResult BufferType::verify(EmitError emitError, int64_t size, Attribute space) {
  if (size < 0 && !ShapedType::isDynamic(size))
    return emitError() << "size of a buffer must not be negative, got " << size;
  return verifySpace(emitError, space);
}

LogicalResult ArenaType::verify(EmitError emitError, Attribute space) {
  return verifySpace(emitError, space);
}
