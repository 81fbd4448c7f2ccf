/* Dependences through MLIR's C API: the definitions that each operation of the first function reads. */

#include <inttypes.h>
#include <stdio.h>

#include "mem-opt.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"

static const char *read(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  if (!file)
    return "";
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

static void printSource(MemOptSource source) {
  printf(" [%" PRIu64 ", %" PRIu64 ")", source.start, source.end);
  if (source.kind == MemOptDefinition)
    printf(" of access %td", source.definition);
  else
    printf(source.kind == MemOptEntry ? " from outside" : " never written");
}

static void printAccess(MemOptDependence dependence, intptr_t access) {
  MlirOperation operation = memOptDependenceGetOperation(dependence, access);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  printf("%td: %.*s, operand %td", access, (int)name.length, name.data,
         memOptDependenceGetOperand(dependence, access));
  if (memOptDependenceIsDefinition(dependence, access)) {
    intptr_t numReaders = memOptDependenceGetNumReaders(dependence, access);
    printf(memOptDependenceIsDead(dependence, access) ? ", dead" : ", read by");
    for (intptr_t i = 0; i < numReaders; ++i)
      printf(" %td", memOptDependenceGetReader(dependence, access, i));
    if (!numReaders && !memOptDependenceIsDead(dependence, access))
      printf(" callers");
  } else {
    printf(", reads");
    for (intptr_t i = 0; i < memOptDependenceGetNumSources(dependence, access); ++i)
      printSource(memOptDependenceGetSource(dependence, access, i));
  }
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: chains FILE.mlir\n");
    return 2;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__mem__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(read(argv[1])));
  if (mlirModuleIsNull(module))
    return 1;

  MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MemOptDependence dependence = memOptAnalyzeDependence(function, /*noaliasArguments=*/false);
  if (!dependence.ptr)
    return 1;
  for (intptr_t access = 0; access < memOptDependenceGetNumAccesses(dependence); ++access)
    printAccess(dependence, access);
  /* What does not exist is an empty answer. */
  if (memOptDependenceGetReader(dependence, 1000000, 0) != -1 ||
      !mlirOperationIsNull(memOptDependenceGetOperation(dependence, -1)) ||
      memOptAnalyzeDependence(mlirModuleGetOperation(module), false).ptr)
    return 1;
  memOptDependenceDestroy(dependence);

  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
