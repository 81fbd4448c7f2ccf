// A program that differs from its namesake in inputs/reads.mlir.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/reads.mlir noalias-arguments=true})' -o %t 2>&1 | FileCheck %s

// An argument may be the global.
memref.global "private" @g : memref<1xf32> = dense<1.0>

// The loop overwrites what is copied.
// CHECK: warning: mem-validate: @other_bytes is not validated
func.func @other_bytes(%y: memref<8xf32>, %w: memref<24xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %global = memref.get_global @g : memref<1xf32>
  memref.store %v, %w[%n] : memref<24xf32>
  %last = memref.subview %w[23] [1] [1] : memref<24xf32> to memref<1xf32, strided<[1], offset: 23>>
  scf.for %i = %0 to %n step %1 {
    %b = memref.subview %w[21] [3] [1] : memref<24xf32> to memref<3xf32, strided<[1], offset: 21>>
    linalg.fill ins(%v : f32) outs(%b : memref<3xf32, strided<[1], offset: 21>>)
  }
  %y1 = memref.subview %y[1] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %last, %y1 : memref<1xf32, strided<[1], offset: 23>> to memref<1xf32, strided<[1], offset: 1>>
  linalg.exp ins(%global : memref<1xf32>) outs(%global : memref<1xf32>)
  return
}

// CHECK: warning: mem-validate: @in_nested_loops is not validated
func.func @in_nested_loops(%y: memref<8xf32>, %w: memref<24xf32>, %n: index, %v: f32, %p: i1) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %global = memref.get_global @g : memref<1xf32>
  memref.store %v, %w[%n] : memref<24xf32>
  %last = memref.subview %w[23] [1] [1] : memref<24xf32> to memref<1xf32, strided<[1], offset: 23>>
  %y1 = memref.subview %y[1] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %last, %y1 : memref<1xf32, strided<[1], offset: 23>> to memref<1xf32, strided<[1], offset: 1>>
  scf.for %i = %0 to %n step %1 {
    scf.for %j = %0 to %i step %1 {
      scf.if %p {
        memref.store %v, %y[%1] : memref<8xf32>
      }
    }
  }
  %f = memref.load %y[%1] : memref<8xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %w[%n] : memref<24xf32>
  linalg.exp ins(%global : memref<1xf32>) outs(%global : memref<1xf32>)
  return
}

// Either of two elements may be the one that is written.
// CHECK: warning: mem-validate: @one_element is not validated
func.func @one_element(%y: memref<1xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%n] : memref<2xf32>
  %f = memref.load %a[%0] : memref<2xf32>
  %g = memref.load %a[%n] : memref<2xf32>
  %s = arith.addf %f, %g : f32
  memref.store %s, %y[%0] : memref<1xf32>
  return
}
