//===- Cloning.cpp - Copies of operations ---------------------------------===//
//
// Part of the shim: `Operation::clone` for large programs. MLIR's sets the operands of a nested
// operation after it has been created, and so allocates them a second time, and more of them. It also
// maps every operation to its copy.
//
//===----------------------------------------------------------------------===//

#include "Shim.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

namespace {

/// Copies one operation with everything inside.
class Cloner {
public:
  Operation *clone(Operation *op) {
    Operation *copy = cloneWithRegions(op);
    for (Operation *own : early)
      for (OpOperand &operand : own->getOpOperands())
        operand.set(copyOf(operand.get()));
    return copy;
  }

private:
  /// The copy of a value; the value itself if it is defined outside, or has no copy yet.
  Value copyOf(Value value) const {
    Value copy = values.lookup(value);
    return copy ? copy : value;
  }

  Operation *cloneWithRegions(Operation *op) {
    SmallVector<Value> operands;
    bool isEarly = false;
    for (Value operand : op->getOperands()) {
      operands.push_back(copyOf(operand));
      isEarly |= operands.back() == operand;
    }
    SmallVector<Block *> successors;
    for (Block *successor : op->getSuccessors()) {
      Block *copy = blocks.lookup(successor);
      successors.push_back(copy ? copy : successor);
    }
    Operation *copy = Operation::create(
        op->getLoc(), op->getName(), op->getResultTypes(), operands,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), successors,
        op->getNumRegions());
    if (isEarly)
      early.push_back(copy);
    for (auto [result, own] : llvm::zip_equal(op->getResults(), copy->getResults()))
      values[result] = own;
    for (auto [source, target] : llvm::zip_equal(op->getRegions(), copy->getRegions()))
      cloneRegion(source, target);
    return copy;
  }

  void cloneRegion(Region &source, Region &target) {
    // Any operation can refer to any block of its region.
    for (Block &block : source) {
      auto *copy = new Block;
      target.push_back(copy);
      blocks[&block] = copy;
      for (BlockArgument argument : block.getArguments())
        values[argument] = copy->addArgument(argument.getType(), argument.getLoc());
    }
    for (auto [block, copy] : llvm::zip_equal(source, target))
      for (Operation &op : block)
        copy.push_back(cloneWithRegions(&op));
  }

  DenseMap<Value, Value> values;
  DenseMap<Block *, Block *> blocks;
  /// Copies with operands that had no copy yet, as they are defined later on, or never get one, as they
  /// are defined outside.
  SmallVector<Operation *> early;
};

} // namespace

MlirOperation memShimClone(MlirOperation op) { return wrap(Cloner().clone(unwrap(op))); }
