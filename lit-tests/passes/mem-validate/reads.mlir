// Bytes that are read come from the last write of them, through loops that write other bytes only.
// The originals are in inputs/reads.mlir.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/reads.mlir noalias-arguments=true})' -o %t 2>&1 | count 0

// An argument may be the global.
memref.global "private" @g : memref<1xf32> = dense<1.0>

// The copy is made after the loop.
func.func @other_bytes(%y: memref<8xf32>, %w: memref<24xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %global = memref.get_global @g : memref<1xf32>
  memref.store %v, %w[%n] : memref<24xf32>
  %last = memref.subview %w[23] [1] [1] : memref<24xf32> to memref<1xf32, strided<[1], offset: 23>>
  scf.for %i = %0 to %n step %1 {
    %b = memref.subview %w[0] [3] [1] : memref<24xf32> to memref<3xf32, strided<[1], offset: 0>>
    linalg.fill ins(%v : f32) outs(%b : memref<3xf32, strided<[1], offset: 0>>)
  }
  %y1 = memref.subview %y[1] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %last, %y1 : memref<1xf32, strided<[1], offset: 23>> to memref<1xf32, strided<[1], offset: 1>>
  linalg.exp ins(%global : memref<1xf32>) outs(%global : memref<1xf32>)
  return
}

// The copy is made before the loops, and read after them.
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
        memref.store %v, %w[%0] : memref<24xf32>
      }
    }
  }
  %f = memref.load %y[%1] : memref<8xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %w[%n] : memref<24xf32>
  linalg.exp ins(%global : memref<1xf32>) outs(%global : memref<1xf32>)
  return
}

// There is only one element that may be chosen.
func.func @one_element(%y: memref<1xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %s = arith.addf %v, %v : f32
  memref.store %s, %y[%0] : memref<1xf32>
  return
}
