/*===- mem-opt.h - mem-opt for compilers that use MLIR's C API -------------===*\
|*
|* Link libmem_opt.so, built against the same libMLIR as the compiler. Passes are
|* created by name, with their options, through mlirParsePassPipeline or
|* mlirOpPassManagerAddPipeline; docs/Passes.md lists them.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEM_OPT_H
#define MEM_OPT_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MlirDialectHandle mlirGetDialectHandle__mem__(void); */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Mem, mem);

/* Registers every pass and pipeline, once a process. */
void memOptRegisterPasses(void);

/*===----------------------------------------------------------------------===*\
|* Dependences: who wrote what a function's operations read
\*===----------------------------------------------------------------------===*/

/* The reads and writes of one function. They have ids, from 0. Whoever changes the function
 * makes the answers wrong; operations that are asked for must still exist. Ids and positions that
 * do not exist get what an empty list would give. */
typedef struct MemOptDependence {
  void *ptr; /* NULL: nothing was analyzed. */
} MemOptDependence;

enum {
  MemOptUndefined = 0, /* Nobody has written the bytes. */
  MemOptEntry = 1,     /* They were there before the function, or come from outside. */
  MemOptDefinition = 2 /* An access of the function wrote them. */
};

/* Bytes [start, end) of a buffer that are read, and where they come from. */
typedef struct MemOptSource {
  uint32_t kind;
  intptr_t definition; /* The id of the access, or -1. */
  uint64_t start;
  uint64_t end; /* UINT64_MAX: wherever the buffer ends. */
} MemOptSource;

/* Analyzes a function in a module; `noaliasArguments` asserts that no two arguments of any function
 * share a byte. ptr is NULL if it is no function, or has no body. */
MemOptDependence memOptAnalyzeDependence(MlirOperation function, bool noaliasArguments);
void memOptDependenceDestroy(MemOptDependence dependence);

intptr_t memOptDependenceGetNumAccesses(MemOptDependence dependence);
MlirOperation memOptDependenceGetOperation(MemOptDependence dependence, intptr_t access);
/* The operand it goes through; -1 if it is in a callee, or in an operation inside. */
intptr_t memOptDependenceGetOperand(MemOptDependence dependence, intptr_t access);
/* Whether it writes; otherwise it reads. */
bool memOptDependenceIsDefinition(MemOptDependence dependence, intptr_t access);
/* Whether it writes what nobody reads, in or outside of the function. */
bool memOptDependenceIsDead(MemOptDependence dependence, intptr_t access);

/* Use-def chains. */
intptr_t memOptDependenceGetNumSources(MemOptDependence dependence, intptr_t use);
MemOptSource memOptDependenceGetSource(MemOptDependence dependence, intptr_t use, intptr_t position);
/* Def-use chains: the ids of the uses that may see what a definition writes. */
intptr_t memOptDependenceGetNumReaders(MemOptDependence dependence, intptr_t definition);
intptr_t memOptDependenceGetReader(MemOptDependence dependence, intptr_t definition,
                                   intptr_t position);

#ifdef __cplusplus
}
#endif

#endif /* MEM_OPT_H */
