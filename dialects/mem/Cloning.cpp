//===- Cloning.cpp - Copies of operations ---------------------------------===//
//
// Part of the shim: `Operation::clone` for large programs. MLIR's sets the operands of a nested
// operation after it has been created, and so allocates them a second time, and more of them.
//
//===----------------------------------------------------------------------===//

#include "Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// Copies the regions of an operation. `early`: copies with operands that have no copy yet, as they
/// are defined later on, or never get one, as they are defined outside.
static void cloneRegions(Operation *from, Operation *to, IRMapping &mapping,
                         SmallVectorImpl<Operation *> &early) {
  for (auto [source, target] : llvm::zip_equal(from->getRegions(), to->getRegions())) {
    // Any operation can refer to any block of its region.
    for (Block &block : source) {
      auto *copy = new Block;
      target.push_back(copy);
      mapping.map(&block, copy);
      for (BlockArgument argument : block.getArguments())
        mapping.map(argument, copy->addArgument(argument.getType(), argument.getLoc()));
    }
    for (auto [block, copy] : llvm::zip_equal(source, target)) {
      for (Operation &op : block) {
        bool isEarly = !llvm::all_of(op.getOperands(),
                                     [&](Value operand) { return mapping.contains(operand); });
        Operation *own = op.cloneWithoutRegions(mapping);
        copy.push_back(own);
        if (isEarly)
          early.push_back(own);
        cloneRegions(&op, own, mapping, early);
      }
    }
  }
}

MlirOperation memShimClone(MlirOperation wrapped) {
  IRMapping mapping;
  SmallVector<Operation *> early;
  Operation *op = unwrap(wrapped), *copy = op->cloneWithoutRegions(mapping);
  cloneRegions(op, copy, mapping, early);
  for (Operation *own : early)
    for (OpOperand &operand : own->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
  return wrap(copy);
}
