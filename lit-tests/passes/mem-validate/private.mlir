// Private functions are compared as a part of their callers. By themselves, they are compared if a caller is not equal,
// if they have no caller, or if anything but a call refers to them. The original is in inputs/private.mlir.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/private.mlir})' -o %t 2>&1 | FileCheck %s

// The caller computes what it did; nothing else can call this.
// CHECK-NOT: @called
func.func private @called(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.log ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// CHECK: error: {{.*}}@referenced
func.func private @referenced(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.log ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// CHECK: error: {{.*}}@of_different
func.func private @of_different(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.log ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// CHECK: error: {{.*}}@not_called
func.func private @not_called(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.log ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

func.func @equal(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%b : memref<4xf32>) outs(%a : memref<4xf32>)
  return
}

// CHECK: error: {{.*}}@different
func.func @different(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @of_different(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// CHECK-NOT: error
func.func @address() -> ((memref<4xf32>, memref<4xf32>) -> ()) {
  %f = constant @referenced : (memref<4xf32>, memref<4xf32>) -> ()
  return %f : (memref<4xf32>, memref<4xf32>) -> ()
}
