//===- Shim.h - C interface to C++-only parts of MLIR, for the tools ------===//
//
// What mem-opt and mem-run need of MLIR's C++ API, and passes do not: the upstream dialects and
// passes, the main function of mlir-opt, and compilation to machine code. Like that of the dialect,
// this shim contains no policy, and all functions are called only from Rust.
//
//===----------------------------------------------------------------------===//

#ifndef MEM_TOOLS_SHIM_H
#define MEM_TOOLS_SHIM_H

#include "mlir-c/ExecutionEngine.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds every upstream dialect, extension and translation to a registry.
void memToolsRegisterUpstream(MlirDialectRegistry registry);
/// Registers every upstream pass.
void memToolsRegisterUpstreamPasses(void);
/// Runs mlir-opt with the dialects of `registry` and all registered passes.
int memToolsOptMain(int argc, char **argv, const char *name, MlirDialectRegistry registry);

/// Creates an execution engine like `mlirExecutionEngineCreate`, but without debugger and profiler
/// listeners, which `mlirExecutionEngineCreate` cannot disable. The perf listener leaves a dump of
/// each engine in the temporary directory. Null if the module cannot be compiled.
MlirExecutionEngine memToolsCompile(MlirModule module, int optimizationLevel);

#ifdef __cplusplus
}
#endif

#endif // MEM_TOOLS_SHIM_H
