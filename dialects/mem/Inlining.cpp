//===- Inlining.cpp - Inlining of single calls ----------------------------===//
//
// Part of the shim: MLIR's inliner as a function of one call, which the C API does not have.
//
//===----------------------------------------------------------------------===//

#include "Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

bool memShimInlineCall(MlirOperation wrappedCall, MlirOperation wrappedCallee,
                       MemCallCallback callback, void *user) {
  auto call = cast<func::CallOp>(unwrap(wrappedCall));
  auto callee = cast<func::FuncOp>(unwrap(wrappedCallee));
  InlinerInterface interface(call.getContext());
  Operation *around = call->getParentOp();
  // Regions of an unregistered operation may contain anything and resolve any symbol.
  for (Operation *op = around; op; op = op->getParentOp())
    if (!op->isRegistered())
      return false;
  // A multi-block body does not fit in a region restricted to a single block.
  bool fits = callee.getBody().hasOneBlock() ||
              !(around->mightHaveTrait<OpTrait::SingleBlock>() ||
                around->mightHaveTrait<OpTrait::NoTerminator>());
  if (!fits || SymbolTable::getNearestSymbolTable(call) != callee->getParentOp() ||
      !interface.isLegalToInline(call, callee, /*wouldBeCloned=*/true))
    return false;
  SmallVector<Operation *> calls;
  auto clone = [&](OpBuilder &, Region *source, Block *inlineBlock, Block *postInsertBlock,
                   IRMapping &mapper, bool) {
    source->cloneInto(inlineBlock->getParent(), postInsertBlock->getIterator(), mapper);
    source->walk([&](func::CallOp nested) { calls.push_back(mapper.lookup(nested)); });
  };
  if (failed(inlineCall(interface, clone, call, callee, &callee.getBody())))
    return false;
  call.erase();
  for (Operation *nested : calls)
    callback(user, wrap(nested));
  return true;
}
