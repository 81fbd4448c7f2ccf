// Programs that differ from their namesakes in inputs/elements.mlir.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/elements.mlir})' -o %t 2>&1 | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/elements.mlir noalias-arguments})' -o %t 2>&1 | FileCheck %s

func.func private @keep(memref<4xf32>)

// The other argument is written, too.
// CHECK: warning: mem-validate: @computed_in_place is not validated
func.func @computed_in_place(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %t[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %t[%i] : memref<64xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%i] : memref<64xf32>
    memref.store %w, %x[%i] : memref<64xf32>
  }
  return
}

// The other half is written, too.
// CHECK: warning: mem-validate: @half is not validated
func.func @half(%n: index, %v: f32, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = memref.subview %y[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %high = memref.subview %y[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  linalg.exp ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %high[%i] : memref<32xf32, strided<[1], offset: 32>>
    memref.store %v, %low[%i] : memref<32xf32, strided<[1]>>
  }
  return
}

// It is not known which element is stored, but it is the same one.
// CHECK: error: mem-validate: in @stored
func.func @stored(%n: index, %x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1] : memref<4xf32>
  memref.store %v, %y[%n] : memref<4xf32>
  return
}

// What is kept differs one iteration later.
// CHECK: warning: mem-validate: @for_ever is not validated
func.func @for_ever(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  cf.br ^body
^body:
  %t = memref.alloc() : memref<4xf32>
  %v = memref.load %x[%c1] : memref<4xf32>
  memref.store %zero, %t[%c0] : memref<4xf32>
  func.call @keep(%t) : (memref<4xf32>) -> ()
  memref.store %v, %t[%c0] : memref<4xf32>
  cf.br ^body
}
