// Which copies in another order are read where they come from, and which stay.
//
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s

// Two products read transposed weights. Both sides of one product are the same copy.
//
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%{{.*}}: memref<4x8xf32>, %[[W:[a-z0-9]+]]: memref<8x8xf32>,
// CHECK-NOT: memref.alloc() : memref<8x8xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] :
// CHECK: linalg.generic {{.*}} ins(%[[W]], %[[W]] :
// CHECK-NOT: linalg.transpose
func.func @transposed(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %out: memref<4x8xf32> {bufferize.result}, %square: memref<8x8xf32> {bufferize.result}) {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  linalg.matmul ins(%x, %t : memref<4x8xf32>, memref<8x8xf32>) outs(%out : memref<4x8xf32>)
  linalg.matmul ins(%t, %t : memref<8x8xf32>, memref<8x8xf32>) outs(%square : memref<8x8xf32>)
  memref.dealloc %t : memref<8x8xf32>
  return
}

// -----

// The argument changes before the copy is read.
//
// CHECK-LABEL: func.func @overwritten
// CHECK: linalg.transpose
// CHECK: linalg.matmul
func.func @overwritten(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %out: memref<4x8xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  linalg.fill ins(%zero : f32) outs(%w : memref<8x8xf32>)
  linalg.matmul ins(%x, %t : memref<4x8xf32>, memref<8x8xf32>) outs(%out : memref<4x8xf32>)
  return
}

// -----

// The result of the product may be in the same memory as the argument.
//
// CHECK-LABEL: func.func @aliased
// CHECK: linalg.transpose
// CHECK: linalg.matmul
func.func @aliased(%w: memref<8x8xf32>, %other: memref<8x8xf32>) {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  linalg.matmul ins(%w, %t : memref<8x8xf32>, memref<8x8xf32>) outs(%other : memref<8x8xf32>)
  return
}

// -----

// A copy of a tensor of the function's own stays: the tensor would live longer.
//
// CHECK-LABEL: func.func @own
// CHECK: linalg.transpose
// CHECK: linalg.matmul
func.func @own(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %out: memref<4x8xf32> {bufferize.result}) {
  %e = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%w : memref<8x8xf32>) outs(%e : memref<8x8xf32>)
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%e : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  linalg.matmul ins(%x, %t : memref<4x8xf32>, memref<8x8xf32>) outs(%out : memref<4x8xf32>)
  return
}

// -----

// A copy that changes afterwards, and one that is read through a view, stay.
//
// CHECK-LABEL: func.func @changed
// CHECK: linalg.transpose
// CHECK: linalg.exp
// CHECK: linalg.transpose
// CHECK: memref.subview
func.func @changed(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %out: memref<4x8xf32> {bufferize.result}, %part: memref<4x4xf32> {bufferize.result}) {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  linalg.exp ins(%t : memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  linalg.matmul ins(%x, %t : memref<4x8xf32>, memref<8x8xf32>) outs(%out : memref<4x8xf32>)
  %u = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%u : memref<8x8xf32>) permutation = [1, 0]
  %v = memref.subview %u[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  linalg.matmul ins(%x, %v : memref<4x8xf32>, memref<8x4xf32, strided<[8, 1]>>) outs(%part : memref<4x4xf32>)
  return
}

// -----

// Constants are read where they are, too. What the function allocates cannot be the same memory.
//
// CHECK-LABEL: func.func @constant
// CHECK: %[[W:.*]] = memref.get_global @weights
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] :
memref.global "private" constant @weights : memref<8x8xf32> = dense<2.0>
func.func @constant(%x: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = memref.get_global @weights : memref<8x8xf32>
  %t = memref.alloca() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  %y = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<4x8xf32>)
  linalg.matmul ins(%x, %t : memref<4x8xf32>, memref<8x8xf32>) outs(%y : memref<4x8xf32>)
  memref.copy %y, %out : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

// A body with regions, and one that loads elements of the copy.
//
// CHECK-LABEL: func.func @bodies
// CHECK: linalg.transpose
// CHECK: scf.if
// CHECK: linalg.transpose
// CHECK: memref.load
#id = affine_map<(i, j) -> (i, j)>
func.func @bodies(%w: memref<8x8xf32>, %first: memref<8x8xf32> {bufferize.result}, %second: memref<8x8xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8 : index
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : memref<8x8xf32>) outs(%first : memref<8x8xf32>) {
  ^bb0(%e: f32, %o: f32):
    %is = arith.cmpf olt, %e, %zero : f32
    %r = scf.if %is -> f32 {
      %d = arith.divf %e, %e : f32
      scf.yield %d : f32
    } else {
      scf.yield %e : f32
    }
    linalg.yield %r : f32
  }
  %u = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%u : memref<8x8xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%second : memref<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.muli %i, %j : index
    %k = arith.remui %s, %n : index
    %e = memref.load %u[%k, %j] : memref<8x8xf32>
    linalg.yield %e : f32
  }
  return
}
