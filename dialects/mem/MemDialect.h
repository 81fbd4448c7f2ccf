//! The C++ side of the mem dialect: the classes that mlir-tblgen generates, and the few
//! questions about memrefs that the verifiers and the passes must answer alike.

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

#include "MemDialect.h.inc"
#include "MemEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "MemAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "MemTypes.h.inc"

#define GET_OP_CLASSES
#include "MemOps.h.inc"

namespace mlir::mem {

/// Bytes from one element of a memref in memory to the next: the element's size, rounded up
/// to its alignment. Nothing for element types whose size no data layout knows.
std::optional<int64_t> getElementBytes(Type elementType, const DataLayout &layout);

/// Bytes from the start of a memref's first element to the end of its last one: 0 if it has
/// no elements. Nothing if that depends on dynamic sizes or strides, on an element type of
/// unknown size, or on a layout that is neither the identity nor strided. Fails if the number
/// does not fit in 63 bits.
FailureOr<std::optional<int64_t>> getSpanInBytes(MemRefType type, const DataLayout &layout);

} // namespace mlir::mem

#endif // MEM_DIALECT_H
