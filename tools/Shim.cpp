//===- Shim.cpp - C interface to C++-only parts of MLIR, for the tools ----===//

#include "Shim.h"

#include "mlir/CAPI/ExecutionEngine.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TargetSelect.h"

#include <cstdlib>

using namespace mlir;

void memToolsRegisterUpstream(MlirDialectRegistry registry) {
  registerAllDialects(*unwrap(registry));
  registerAllExtensions(*unwrap(registry));
  registerAllToLLVMIRTranslations(*unwrap(registry));
}

void memToolsRegisterUpstreamPasses() { registerAllPasses(); }

static bool isPass(StringRef name) {
  return PassInfo::lookup(name) || PassPipelineInfo::lookup(name);
}

bool memToolsIsPass(MlirStringRef name) { return isPass(unwrap(name)); }

void memToolsPassNames(MlirStringCallback sink, void *user) {
  // Every pass is an option of the command line; the registry itself cannot be listed.
  for (const auto &option : llvm::cl::getRegisteredOptions())
    if (isPass(option.first))
      sink(wrap(option.first), user);
}

static void ignoreClosedOutput() {
  llvm::outs().flush();
  if (llvm::outs().error() == std::errc::broken_pipe)
    llvm::outs().clear_error();
}

/// A reader that closes standard output early is no error, but the destructor of the stream would end
/// the process with a report of it. Handlers run before the destructors of what exists when they are
/// registered. The parser of command lines ends the process after the help.
static void allowClosedOutput() {
  llvm::outs();
  std::atexit(ignoreClosedOutput);
}

/// Spares the verifier before printing: it takes about as long as printing itself, and the module has
/// been verified when it was parsed, and after the passes. Not where an option keeps the verifier from
/// running, or prints a module between passes.
static void assumeVerified(ArrayRef<char *> arguments) {
  auto mayBeInvalid = [](StringRef argument) {
    return argument.contains("verify-each") || argument.contains("verify=false") ||
           argument.contains("disable-verifier") || argument.contains("print-ir");
  };
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("mlir-print-assume-verified");
  if (found == options.end() || llvm::any_of(arguments, mayBeInvalid))
    return;
  auto *assume = static_cast<llvm::cl::opt<bool> *>(found->second);
  if (assume->getNumOccurrences() == 0)
    assume->setValue(true);
}

int memToolsOptMain(int argc, char **argv, const char *name, MlirDialectRegistry registry,
                    MemPipelineCheck check) {
  allowClosedOutput();
  auto [input, output] = registerAndParseCLIOptions(argc, argv, name, *unwrap(registry));
  auto &options = llvm::cl::getRegisteredOptions();
  auto pipeline = options.find("pass-pipeline");
  if (pipeline != options.end() && pipeline->second->getNumOccurrences() > 0) {
    auto *text = static_cast<llvm::cl::opt<std::string> *>(pipeline->second);
    if (!check(wrap(StringRef(text->getValue()))))
      return 1;
  }
  assumeVerified(ArrayRef(argv, argc));
  return asMainReturnCode(MlirOptMain(argc, argv, input, output, *unwrap(registry)));
}

void memToolsRemoveOutput() { llvm::sys::RunInterruptHandlers(); }

int memToolsLspServerMain(int argc, char **argv, MlirDialectRegistry registry) {
  allowClosedOutput();
  return asMainReturnCode(MlirLspServerMain(argc, argv, *unwrap(registry)));
}

int memToolsReduceMain(int argc, char **argv, MlirDialectRegistry registry) {
  allowClosedOutput();
  MLIRContext context(*unwrap(registry));
  return asMainReturnCode(mlirReduceMain(argc, argv, context));
}

MlirExecutionEngine memToolsCompile(MlirModule module, int optimizationLevel) {
  [[maybe_unused]] static const bool isInitialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmParser();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  MLIRContext &context = *unwrap(module)->getContext();
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
  auto fail = [](llvm::Error error) {
    llvm::consumeError(std::move(error));
    return MlirExecutionEngine{nullptr};
  };
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(builder.takeError());
  // The engine ignores its own option for the level if it is given a machine. Without a level, the
  // allocator of registers optimizes, which takes most of the time on functions of networks.
  builder->setCodeGenOptLevel(static_cast<llvm::CodeGenOptLevel>(optimizationLevel));
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  auto transformer = makeOptimizingTransformer(optimizationLevel, 0, machine->get());
  ExecutionEngineOptions options;
  options.transformer = transformer;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(unwrap(module), options, std::move(*machine));
  if (!engine)
    return fail(engine.takeError());
  return wrap(engine->release());
}
