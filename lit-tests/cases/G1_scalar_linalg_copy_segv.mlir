// Operands of `linalg` operations need not be memrefs: `linalg.copy` of a scalar writes it to all elements.
// Querying the element type of such an operand without checking its kind first reads invalid memory.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=16384})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: linalg.copy ins(%{{.*}} : f64)
func.func @main(%s : f64, %o : memref<8xf64>) {
  linalg.copy ins(%s : f64) outs(%o : memref<8xf64>)
  return
}

// A copy of a scalar, of a single element, or with a type conversion cannot be forwarded to its readers.
// CHECK-LABEL: func.func @read
// CHECK: linalg.copy ins(%{{.*}} : f32)
// CHECK: linalg.copy ins(%{{.*}} : memref<f32
// CHECK: linalg.copy ins(%{{.*}} : memref<8xf16
// CHECK: return
func.func @read(%s : f32, %a : memref<f32>, %h : memref<8xf16>, %o : memref<8xf32>, %p : memref<f32>, %q : memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<f32>
  %v = memref.alloc() : memref<8xf32>
  linalg.copy ins(%s : f32) outs(%t : memref<8xf32>)
  linalg.copy ins(%a : memref<f32>) outs(%u : memref<f32>)
  linalg.copy ins(%h : memref<8xf16>) outs(%v : memref<8xf32>)
  linalg.exp ins(%t : memref<8xf32>) outs(%o : memref<8xf32>)
  linalg.exp ins(%u : memref<f32>) outs(%p : memref<f32>)
  linalg.exp ins(%v : memref<8xf32>) outs(%q : memref<8xf32>)
  return
}
