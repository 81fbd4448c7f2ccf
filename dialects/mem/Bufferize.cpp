//===- Bufferize.cpp - Shim of upstream's bufferization -------------------===//

#include "Bufferize.h"
#include "MemDialect.h"
#include "Shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Conversion/ShardToMPI/ShardToMPI.h"
#include "mlir/Conversion/TensorToLinalg/TensorToLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MLProgram/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Shape/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mem::loadBufferization(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, linalg::LinalgDialect, memref::MemRefDialect,
                  mpi::MPIDialect, scf::SCFDialect, shard::ShardDialect, tensor::TensorDialect,
                  ub::UBDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  ml_program::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  shape::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
}

void mem::registerBufferizationPasses() {
  bufferization::registerEmptyTensorToAllocTensorPass();
  bufferization::registerOneShotBufferizePass();
  registerCanonicalizerPass();
  registerCSEPass();
  registerConvertElementwiseToLinalgPass();
  registerPass([] { return createLiftControlFlowToSCFPass(); });
  registerPass([] { return createConvertShardToMPIPass(); });
  shard::registerShardPasses();
}

MlirOperation memShimFirstWith(MlirOperation scope, MemValueKind kind) {
  auto matches = [=](Type type) {
    if (kind == MemValueTensor)
      return isa<TensorType>(type);
    return isa<BaseMemRefType, mem::BufferType, mem::ArenaType>(type);
  };
  Operation *found = nullptr;
  unwrap(scope)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto blockMatches = [&](Block &block) {
      return llvm::any_of(block.getArgumentTypes(), matches);
    };
    bool here = llvm::any_of(op->getOperandTypes(), matches) ||
                llvm::any_of(op->getResultTypes(), matches) ||
                llvm::any_of(op->getRegions(),
                             [&](Region &region) { return llvm::any_of(region, blockMatches); });
    // A declaration has no block.
    if (auto function = dyn_cast<func::FuncOp>(op))
      here |= llvm::any_of(function.getArgumentTypes(), matches) ||
              llvm::any_of(function.getResultTypes(), matches);
    found = here ? op : nullptr;
    return here ? WalkResult::interrupt() : WalkResult::advance();
  });
  return wrap(found);
}

bool memShimIsBufferizable(MlirOperation op) {
  return isa<bufferization::BufferizableOpInterface>(unwrap(op));
}

bool memShimLowerPads(MlirOperation op) {
  MLIRContext *context = unwrap(op)->getContext();
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, linalg::LinalgDialect, tensor::TensorDialect>();
  target.addIllegalOp<tensor::PadOp>();
  RewritePatternSet patterns(context);
  populateTensorToLinalgPatterns(patterns);
  return succeeded(applyPartialConversion(unwrap(op), target, std::move(patterns)));
}

bool memShimDropEquivalentResults(MlirOperation module) {
  return succeeded(bufferization::dropEquivalentBufferResults(cast<ModuleOp>(unwrap(module))));
}

bool memShimResultsToArguments(MlirOperation module, MemFunctionCallback filter, void *user) {
  bufferization::BufferResultsToOutParamsOpts options;
  options.filterFn = [=](func::FuncOp *function) { return filter(user, wrap(*function)); };
  options.addResultAttribute = true;
  options.hoistStaticAllocs = true;
  options.modifyPublicFunctions = true;
  return succeeded(
      bufferization::promoteBufferResultsToOutParams(cast<ModuleOp>(unwrap(module)), options));
}
