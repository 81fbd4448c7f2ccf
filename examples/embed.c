/* A compiler that uses MLIR's C API: it links libmem_opt and calls the functions of mem-opt.h. */

#include <stdio.h>

#include "mem-opt.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

static void print(MlirStringRef text, void *stream) {
  fwrite(text.data, 1, text.length, stream);
}

/* The modules of real compilers are in memory already; this one is in a file. */
static const char *read(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  if (!file)
    return "";
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: embed FILE.mlir\n");
    return 2;
  }

  /* Once per process: register the passes and pipelines. */
  memOptRegisterPasses();

  /* Once per context: register the dialect alongside the compiler's own. */
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__mem__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/true);

  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(read(argv[1])));
  if (mlirModuleIsNull(module))
    return 1;
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirStringRef pipeline = mlirStringRefCreateFromCString("builtin.module(mem-default-pipeline)");
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(
          mlirPassManagerGetAsOpPassManager(passes), pipeline, print, stderr)))
    return 1;
  MlirOperation operation = mlirModuleGetOperation(module);
  if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(passes, operation)))
    return 1;
  mlirOperationPrint(operation, print, stdout);

  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return 0;
}
