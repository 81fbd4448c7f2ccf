// Programs that differ from their namesakes in inputs/rows.mlir in a few rows.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rows.mlir})' -o %t 2>&1 | FileCheck %s

// The gaps between the rows hold another value.
// CHECK: error: mem-validate: in @padded,
func.func @padded(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<10x10xf32>, %v: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %p = memref.alloc() : memref<10x10xf32>
  %u = arith.constant 1.0 : f32
  linalg.fill ins(%u : f32) outs(%p : memref<10x10xf32>)
  %i = memref.subview %p[1, 1] [8, 8] [1, 1] : memref<10x10xf32> to memref<8x8xf32, strided<[10, 1], offset: 11>>
  memref.copy %a, %i : memref<8x8xf32> to memref<8x8xf32, strided<[10, 1], offset: 11>>
  linalg.exp ins(%p : memref<10x10xf32>) outs(%y : memref<10x10xf32>)
  return
}

// The halves have changed places.
// CHECK: error: mem-validate: in @concatenated,
func.func @concatenated(%x: memref<8x4xf32>, %y: memref<8x8xf32>) {
  %c = memref.alloc() : memref<8x8xf32>
  %l = memref.subview %c[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %r = memref.subview %c[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.tanh ins(%x : memref<8x4xf32>) outs(%l : memref<8x4xf32, strided<[8, 1]>>)
  linalg.exp ins(%x : memref<8x4xf32>) outs(%r : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  linalg.log ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

// The other half is read.
// CHECK: error: mem-validate: in @sliced,
func.func @sliced(%x: memref<8x8xf32>, %y: memref<8x4xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %r = memref.subview %a[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  linalg.tanh ins(%r : memref<8x4xf32, strided<[8, 1]>>) outs(%y : memref<8x4xf32>)
  return
}

// The last element of a row inside the left half is overwritten.
// CHECK: error: mem-validate: in @one_row,
func.func @one_row(%x: memref<8x4xf32>, %y: memref<8x8xf32>, %v: f32) {
  %c = memref.alloc() : memref<8x8xf32>
  %l = memref.subview %c[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %r = memref.subview %c[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%l : memref<8x4xf32, strided<[8, 1]>>)
  %3 = arith.constant 3 : index
  memref.store %v, %c[%3, %3] : memref<8x8xf32>
  linalg.tanh ins(%x : memref<8x4xf32>) outs(%r : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  linalg.log ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}
