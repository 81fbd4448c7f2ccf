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
/// Returns whether the text of a pipeline can be parsed; otherwise it has reported an error.
typedef bool (*MemPipelineCheck)(MlirStringRef pipeline);
/// Runs mlir-opt with the dialects of `registry` and all registered passes. `check` is called with the
/// value of --pass-pipeline, if there is one. A reader that closes standard output early is no error.
int memToolsOptMain(int argc, char **argv, const char *name, MlirDialectRegistry registry,
                    MemPipelineCheck check);
/// Removes the output file of memToolsOptMain, which is incomplete until it returns. For a process that is
/// about to end.
void memToolsRemoveOutput(void);
/// Runs MLIR's language server with the dialects of `registry`, on standard input and output.
int memToolsLspServerMain(int argc, char **argv, MlirDialectRegistry registry);
/// Runs mlir-reduce with the dialects of `registry` and all registered passes.
int memToolsReduceMain(int argc, char **argv, MlirDialectRegistry registry);
/// Whether a pass or pipeline is registered.
bool memToolsIsPass(MlirStringRef name);
/// Calls `sink` with the name of each registered pass and pipeline, in any order. Only those that were
/// registered before memToolsOptMain parsed the command line.
void memToolsPassNames(MlirStringCallback sink, void *user);

/// Creates an execution engine like `mlirExecutionEngineCreate`, but without debugger and profiler
/// listeners, which `mlirExecutionEngineCreate` cannot disable. The perf listener leaves a dump of
/// each engine in the temporary directory. Null if the module cannot be compiled.
MlirExecutionEngine memToolsCompile(MlirModule module, int optimizationLevel);

#ifdef __cplusplus
}
#endif

#endif // MEM_TOOLS_SHIM_H
