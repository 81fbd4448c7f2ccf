/*===- mem-opt.h - mem-opt for compilers that use MLIR's C API -------------===*\
|*
|* Link libmem_opt.so, built against the same libMLIR as the compiler. Passes are
|* created by name, with their options, through mlirParsePassPipeline or
|* mlirOpPassManagerAddPipeline; docs/Passes.md lists them.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEM_OPT_H
#define MEM_OPT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MlirDialectHandle mlirGetDialectHandle__mem__(void); */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Mem, mem);

/* Registers every pass and pipeline, once a process. */
void memOptRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* MEM_OPT_H */
