//! C++ declarations of the mem dialect: the classes that mlir-tblgen generates, and the memref
//! queries on which the verifiers and the passes must agree.

#ifndef MEM_DIALECT_H
#define MEM_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <optional>
#include <string>

#include "MemDialect.h.inc"
#include "MemEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "MemAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "MemTypes.h.inc"

#define GET_OP_CLASSES
#include "MemOps.h.inc"

namespace mlir::mem {

/// Distance in bytes between consecutive elements of a memref in memory: the element size, rounded
/// up to its alignment. Empty for element types whose size no data layout defines.
std::optional<int64_t> getElementBytes(Type elementType, const DataLayout &layout);

/// Bytes from the start of the first element of a memref to the end of its last element; 0 if the
/// memref has no elements. Empty if the span depends on dynamic sizes or strides, on an element
/// type of unknown size, or on a layout that is neither the identity nor strided. Fails if the span
/// does not fit in 63 bits.
FailureOr<std::optional<int64_t>> getSpanInBytes(MemRefType type, const DataLayout &layout);

/// Prints a memory space as the types of memrefs do: an integer without its type.
void printSpace(AsmPrinter &printer, Attribute space);

/// Prints a number as the shortest decimal that round-trips, without an exponent and always with a
/// decimal point, as MLIR's floating-point syntax requires.
void printNumber(AsmPrinter &printer, double value);

/// Parses `latency = 20, bandwidth = 64.0`.
FailureOr<CostAttr> parseCostBody(AsmParser &parser);
void printCostBody(AsmPrinter &printer, CostAttr cost);

/// Parses the parameters of a link between ranks.
ParseResult parseLink(AsmParser &parser, std::string &name, CostAttr &cost, bool &duplex);

/// The conditions of a route.
struct Conditions {
  std::string kind;
  std::optional<int64_t> node;
  SmallVector<int64_t> distances, peers, axes;
};

/// Parses the parameters of a route.
ParseResult parseRoute(AsmParser &parser, std::string &link, Conditions &conditions);

/// Parses a list of integers in square brackets.
ParseResult parseIntegers(AsmParser &parser, SmallVectorImpl<int64_t> &values);
void printIntegers(AsmPrinter &printer, ArrayRef<int64_t> values);

/// Verifies that the links between ranks of a hierarchy, and the routes over them, fit each other.
LogicalResult verifyLinks(function_ref<InFlightDiagnostic()> emitError, bool hasSingleLink,
                          ArrayRef<LinkAttr> links, ArrayRef<RouteAttr> routes,
                          ArrayRef<int64_t> ranks);

/// Verifies that memrefs can be in a memory space; an absent one is the default.
LogicalResult verifySpace(function_ref<InFlightDiagnostic()> emitError, Attribute space);

} // namespace mlir::mem

#endif // MEM_DIALECT_H
