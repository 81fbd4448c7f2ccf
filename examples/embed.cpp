// A compiler in C++ that plans the memory of a module. It loads the plugin at run time, so building
// it requires neither a header nor a library of mem-opt: `embed libmem_opt.so FILE.mlir`.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: embed libmem_opt.so FILE.mlir\n";
    return 2;
  }
  auto dialectPlugin = mlir::DialectPlugin::load(argv[1]);
  auto passPlugin = mlir::PassPlugin::load(argv[1]);
  if (!dialectPlugin || !passPlugin) {
    llvm::logAllUnhandledErrors(dialectPlugin.takeError(), llvm::errs());
    llvm::logAllUnhandledErrors(passPlugin.takeError(), llvm::errs());
    return 1;
  }

  // Once per process: register the passes and pipelines.
  passPlugin->registerPassRegistryCallbacks();

  // Once per context: register the dialect alongside the compiler's own.
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  dialectPlugin->registerDialectRegistryCallbacks(registry);
  mlir::MLIRContext context(registry);

  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[2], &context);
  if (!module)
    return 1;
  mlir::PassManager passes(&context);
  if (failed(mlir::parsePassPipeline("mem-default-pipeline{alignment=64}", passes)))
    return 1;
  if (failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
