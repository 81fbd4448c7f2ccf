// An operand may share bytes with the result only if the operation reads each element before it writes that element.
// Otherwise the copy is needed: without it, the operation would read elements that it has already overwritten.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-forward-stores)' | FileCheck %s

// CHECK-LABEL: func.func @transpose
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: linalg.transpose ins(%[[T]] :
func.func @transpose(%z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%z : memref<16x16xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @matmul
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: linalg.matmul ins(%[[T]], %arg1 :
func.func @matmul(%z: memref<16x16xf32>, %w: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.matmul ins(%t, %w : memref<16x16xf32>, memref<16x16xf32>) outs(%z : memref<16x16xf32>)
  return
}

#reversed = affine_map<(d0) -> (-d0 + 15)>
#identity = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @reversed
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[T]] :
func.func @reversed(%z: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  memref.copy %z, %t : memref<16xf32> to memref<16xf32>
  linalg.generic {indexing_maps = [#reversed, #identity], iterator_types = ["parallel"]}
      ins(%t : memref<16xf32>) outs(%z : memref<16xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// The same buffer is an operand twice, once with a different order of access.
#column = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @twice
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: linalg.generic {{.*}} ins(%[[T]], %[[T]] :
func.func @twice(%z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.generic {indexing_maps = [#row, #column, #row], iterator_types = ["parallel", "parallel"]}
      ins(%t, %t : memref<16x16xf32>, memref<16x16xf32>) outs(%z : memref<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.addf %a, %b : f32
    linalg.yield %d : f32
  }
  return
}

// The source is an argument that may partially overlap the target.
// CHECK-LABEL: func.func @overlap
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: linalg.exp ins(%[[T]] :
func.func @overlap(%y: memref<16xf32>, %z: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  memref.copy %z, %t : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%t : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// A copy into a transposed view of its source.
// CHECK-LABEL: func.func @transposed_view
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: memref.copy %[[T]],
func.func @transposed_view(%z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  %v = memref.transpose %z (i, j) -> (j, i) : memref<16x16xf32> to memref<16x16xf32, strided<[1, 16]>>
  memref.copy %t, %v : memref<16x16xf32> to memref<16x16xf32, strided<[1, 16]>>
  return
}

// Each element is read before it is written, so the operation can run in place.
// CHECK-LABEL: func.func @elementwise
// CHECK: linalg.exp ins(%arg0 : memref<16xf32>) outs(%arg0 :
func.func @elementwise(%z: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  memref.copy %z, %t : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%t : memref<16xf32>) outs(%z : memref<16xf32>)
  return
}

// The caller asserts that the arguments do not overlap.
// CHECK-LABEL: func.func @apart
// CHECK: linalg.transpose ins(%arg1 :
func.func @apart(%y: memref<16x16xf32> {mem.noalias}, %z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}

// The copy's target may partially overlap the result. The operation then reads elements after
// it has written others, and reading the copy's source instead would change the result.
// CHECK-LABEL: func.func @perhaps_its_result
// CHECK: linalg.negf ins(%arg1 :
func.func @perhaps_its_result(%y: memref<16xf32>, %z: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%t : memref<16xf32>)
  linalg.exp ins(%z : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %z : memref<16xf32> to memref<16xf32>
  linalg.negf ins(%z : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// With `mem.noalias`, the copy's target does not overlap the result, so the copy's source is read instead.
// CHECK-LABEL: func.func @not_its_result
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: linalg.negf ins(%[[T]] :
func.func @not_its_result(%y: memref<16xf32> {mem.noalias}, %z: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%z : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %z : memref<16xf32> to memref<16xf32>
  linalg.negf ins(%z : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// All elements of the view are one: the second iteration would read what the first has written.
// CHECK-LABEL: func.func @elements_that_are_one
// CHECK: linalg.exp ins(%{{[^a][^ ]*}} :
func.func @elements_that_are_one(%z: memref<4xf32, strided<[0]>>) {
  %s = memref.alloc() : memref<1xf32>
  %t = memref.reinterpret_cast %s to offset: [0], sizes: [4], strides: [0] : memref<1xf32> to memref<4xf32, strided<[0]>>
  memref.copy %z, %t : memref<4xf32, strided<[0]>> to memref<4xf32, strided<[0]>>
  linalg.exp ins(%t : memref<4xf32, strided<[0]>>) outs(%z : memref<4xf32, strided<[0]>>)
  return
}

// A copy of elements onto themselves changes nothing, whatever their layout.
// CHECK-LABEL: func.func @there_and_back
// CHECK: memref.copy %arg0, %arg0 :
// CHECK: memref.copy %arg1, %arg1 :
func.func @there_and_back(%y: memref<4xf32, strided<[0]>>, %z: memref<4xf32, strided<[2]>>) {
  %s = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.copy %y, %s : memref<4xf32, strided<[0]>> to memref<4xf32>
  memref.copy %s, %y : memref<4xf32> to memref<4xf32, strided<[0]>>
  memref.copy %z, %t : memref<4xf32, strided<[2]>> to memref<4xf32>
  memref.copy %t, %z : memref<4xf32> to memref<4xf32, strided<[2]>>
  return
}
