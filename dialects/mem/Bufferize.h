//===- Bufferize.h - What bufferization needs of upstream -----*- C++ -*-===//

#ifndef MEM_BUFFERIZE_H
#define MEM_BUFFERIZE_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::mem {

/// Adds the dialects that bufferization and partitioning create operations of, and the extensions that tell it how
/// to convert those of upstream. Hosts that have them already are not affected.
void loadBufferization(DialectRegistry &registry);

/// Registers the upstream passes that bufferization and partitioning run by name.
void registerBufferizationPasses();

} // namespace mlir::mem

#endif // MEM_BUFFERIZE_H
