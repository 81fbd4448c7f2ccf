// What an operation adds to before anything is written there is undefined, and exists as a whole: no window has it.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{noalias-arguments=true})' | FileCheck %s

// CHECK-LABEL: func.func @added_to_nothing
// CHECK: linalg.matmul ins({{.*}}) outs(%{{.*}} : memref<32x8xf32>)
// CHECK-NOT: linalg.matmul
func.func @added_to_nothing(%x: memref<32x8xf32>, %w: memref<8x8xf32>, %out: memref<32x8xf32>) {
  %a = memref.alloc() : memref<32x8xf32>
  %b = memref.alloc() : memref<32x8xf32>
  linalg.matmul ins(%x, %w : memref<32x8xf32>, memref<8x8xf32>) outs(%a : memref<32x8xf32>)
  linalg.exp ins(%a : memref<32x8xf32>) outs(%b : memref<32x8xf32>)
  memref.copy %b, %out : memref<32x8xf32> to memref<32x8xf32>
  return
}

// The border of a padded tensor is undefined: it exists as a whole, and its rows are written tile by tile.
// CHECK-LABEL: func.func @padded
// CHECK: scf.for
func.func @padded(%x: memref<64x8xf32>, %out: memref<66x8xf32>) {
  %a = memref.alloc() : memref<64x8xf32>
  %p = memref.alloc() : memref<66x8xf32>
  %b = memref.alloc() : memref<66x8xf32>
  linalg.exp ins(%x : memref<64x8xf32>) outs(%a : memref<64x8xf32>)
  %inside = memref.subview %p[1, 0] [64, 8] [1, 1] : memref<66x8xf32> to memref<64x8xf32, strided<[8, 1], offset: 8>>
  memref.copy %a, %inside : memref<64x8xf32> to memref<64x8xf32, strided<[8, 1], offset: 8>>
  linalg.exp ins(%p : memref<66x8xf32>) outs(%b : memref<66x8xf32>)
  memref.copy %b, %out : memref<66x8xf32> to memref<66x8xf32>
  return
}
