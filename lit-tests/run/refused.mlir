// Unsupported programs are rejected with a clear message and an exit status that differs from that of a usage error.

// RUN: split-file %s %t
// RUN: not mem-run %t/types.mlir --function=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mem-run %t/types.mlir --function=returned 2>&1 | FileCheck %s --check-prefix=RETURNED
// RUN: not mem-run %t/types.mlir --function=strided 2>&1 | FileCheck %s --check-prefix=STRIDED
// RUN: not mem-run %t/types.mlir --function=unranked 2>&1 | FileCheck %s --check-prefix=UNRANKED
// RUN: not mem-run %t/types.mlir --function=space 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not mem-run %t/types.mlir --function=element 2>&1 | FileCheck %s --check-prefix=ELEMENT
// RUN: not mem-run %t/types.mlir --function=huge 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not mem-run %t/many.mlir 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not mem-run %t/external.mlir 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not mem-run %t/types.mlir --function=vector 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not mem-run %t/syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not mem-run %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mem-run %t/no-plan.mlir --compare --pipeline-options="capacity=64 optimize=false" 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not mem-run %t/no-plan.mlir --compare --pipeline-options=colour=red 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not mem-run 2>&1 | FileCheck %s --check-prefix=USAGE

//--- types.mlir

// NONE: error: no function 'none' with a body; there are: returned, strided,
// RETURNED: error: result 0 has type memref<4xf32>: only numbers can be returned
func.func @returned(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
// STRIDED: error: argument 0 has type memref<4xf32, strided<[2]>>: its layout is not the identity
func.func @strided(%a: memref<4xf32, strided<[2]>>) {
  return
}
// UNRANKED: error: argument 1 has type memref<*xf32>: it is neither a number nor a ranked memref
func.func @unranked(%n: index, %a: memref<*xf32>) {
  return
}
// SPACE: error: argument 0 has type memref<4xf32, 1>: it is not in the default memory space
func.func @space(%a: memref<4xf32, 1>) {
  return
}
// ELEMENT: error: argument 0 has type memref<4xcomplex<f32>>: its elements are not
func.func @element(%a: memref<4xcomplex<f32>>) {
  return
}
// HUGE: error: argument 0 has type memref<4611686018427387904x4xf32>: it has more bytes than fit memory
func.func @huge(%a: memref<4611686018427387904x4xf32>) {
  return
}
// VECTOR: error: argument 0 has type vector<4xf32>: it is neither a number nor a ranked memref
func.func @vector(%a: vector<4xf32>) {
  return
}

//--- many.mlir

// MANY: error: argument 0 needs 1152921504606846976 bytes, which is more than there is
func.func @main(%a: memref<288230376151711744xf32>) {
  return
}

//--- external.mlir

// EXTERNAL: error: the module cannot be compiled
func.func private @unknown()
func.func @main() {
  call @unknown() : () -> ()
  return
}

//--- syntax.mlir

// SYNTAX: syntax.mlir:{{[0-9]+}}:18: error: use of undeclared SSA value name
// SYNTAX-NEXT: memref.dealloc %a
// SYNTAX-NEXT: ^
// SYNTAX: syntax.mlir: not valid MLIR
func.func @main() {
  memref.dealloc %a : memref<4xf32>
  return
}

// MISSING: missing.mlir: not valid MLIR

//--- no-plan.mlir

// PLAN: no-plan.mlir:{{[0-9]+}}:{{[0-9]+}}: error:
// PLAN: error: a pass failed
// OPTION: error: 'builtin.module(mem-default-pipeline{colour=red})'
// OPTION-NEXT: mem-default-pipeline: no such option 'colour': expected strategy, capacity
func.func @main(%out: memref<64xf32>, %x: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// USAGE: required arguments were not provided
