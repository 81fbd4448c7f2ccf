/*===- mem-opt.h - mem-opt for compilers that use MLIR's C API -------------===*\
|*
|* Link against libmem_opt.so, built against the same libMLIR as the compiler. Create
|* passes by name, with their options, through mlirParsePassPipeline or
|* mlirOpPassManagerAddPipeline. docs/Passes.md lists the passes.
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

/* Registers every pass and pipeline, once per process. */
void memOptRegisterPasses(void);

/*===----------------------------------------------------------------------===*\
|* Dependences: use-def and def-use chains of memory accesses
\*===----------------------------------------------------------------------===*/

/* The reads and writes of one function, numbered with ids from 0. Any change to the function
 * invalidates the results; an operation must still exist when it is queried. For ids and positions
 * that do not exist, every query returns the result for an empty list. */
typedef struct MemOptDependence {
  void *ptr; /* NULL if nothing was analyzed. */
} MemOptDependence;

enum {
  MemOptUndefined = 0, /* The bytes are never written. */
  MemOptEntry = 1,     /* Present at function entry, or written outside the function. */
  MemOptDefinition = 2 /* Written by an access of the function. */
};

/* Bytes [start, end) of a buffer that are read, and the origin of the bytes. */
typedef struct MemOptSource {
  uint32_t kind;
  intptr_t definition; /* The id of the defining access, or -1. */
  uint64_t start;
  uint64_t end; /* UINT64_MAX: the end of the buffer. */
} MemOptSource;

/* Analyzes a function in a module. `noaliasArguments` asserts that no two arguments of any function
 * share a byte. `ptr` is NULL if the operation is not a function or has no body. */
MemOptDependence memOptAnalyzeDependence(MlirOperation function, bool noaliasArguments);
void memOptDependenceDestroy(MemOptDependence dependence);

intptr_t memOptDependenceGetNumAccesses(MemOptDependence dependence);
MlirOperation memOptDependenceGetOperation(MemOptDependence dependence, intptr_t access);
/* The index of the accessed operand; -1 if the access is in a callee or in a nested operation. */
intptr_t memOptDependenceGetOperand(MemOptDependence dependence, intptr_t access);
/* Whether an access is a write rather than a read. */
bool memOptDependenceIsDefinition(MemOptDependence dependence, intptr_t access);
/* Whether an access is a dead write: no byte is ever read, inside or outside the function. */
bool memOptDependenceIsDead(MemOptDependence dependence, intptr_t access);

/* Use-def chains. */
intptr_t memOptDependenceGetNumSources(MemOptDependence dependence, intptr_t use);
MemOptSource memOptDependenceGetSource(MemOptDependence dependence, intptr_t use, intptr_t position);
/* Def-use chains: the ids of the uses that a definition may reach. */
intptr_t memOptDependenceGetNumReaders(MemOptDependence dependence, intptr_t definition);
intptr_t memOptDependenceGetReader(MemOptDependence dependence, intptr_t definition,
                                   intptr_t position);

#ifdef __cplusplus
}
#endif

#endif /* MEM_OPT_H */
