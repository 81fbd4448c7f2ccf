// Unread rows are removed from a copy only if the target's rows are consecutive in
// memory. Only bytes that are definitely overwritten make an earlier write dead.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,convert-memref-to-mem,mem-dead-store-elimination,mem-validate)' | FileCheck %s

// The first row is never read.
// CHECK-LABEL: func.func @first_row(
// CHECK: %[[PART:.*]] = memref.subview %{{.*}}[1, 0] [2, 3] [1, 1]
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<2x3xf32, strided<[3, 1], offset: 3>> to memref<2x3xf32, strided<[3, 1], offset: 3>>
func.func @first_row(%c: memref<3x3xf32>, %b: memref<6xf32>) {
  %s = memref.alloc() : memref<9xf32>
  %e = memref.expand_shape %s [[0, 1]] output_shape [3, 3] : memref<9xf32> into memref<3x3xf32>
  memref.copy %c, %e : memref<3x3xf32> to memref<3x3xf32>
  %u = memref.subview %s[3] [6] [1] : memref<9xf32> to memref<6xf32, strided<[1], offset: 3>>
  linalg.exp ins(%u : memref<6xf32, strided<[1], offset: 3>>) outs(%b : memref<6xf32>)
  return
}

// Here the first three elements, which are never read, form a column.
// CHECK-LABEL: func.func @first_column(
// CHECK-NOT: memref.subview
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<3x3xf32> to memref<3x3xf32, strided<[1, 3]>>
func.func @first_column(%c: memref<3x3xf32>, %b: memref<6xf32>) {
  %s = memref.alloc() : memref<9xf32>
  %e = memref.expand_shape %s [[0, 1]] output_shape [3, 3] : memref<9xf32> into memref<3x3xf32>
  %t = memref.transpose %e (i, j) -> (j, i) : memref<3x3xf32> to memref<3x3xf32, strided<[1, 3]>>
  memref.copy %c, %t : memref<3x3xf32> to memref<3x3xf32, strided<[1, 3]>>
  %u = memref.subview %s[3] [6] [1] : memref<9xf32> to memref<6xf32, strided<[1], offset: 3>>
  linalg.exp ins(%u : memref<6xf32, strided<[1], offset: 3>>) outs(%b : memref<6xf32>)
  return
}

// The view has as many elements as its span, but they alias in pairs, and the two elements in between are not written.
// CHECK-LABEL: func.func @elements_that_are_one(
// CHECK: linalg.fill
// CHECK: linalg.fill
func.func @elements_that_are_one(%b: memref<4xf32>) {
  %f = arith.constant 1.5 : f32
  %g = arith.constant 2.5 : f32
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %v = memref.reinterpret_cast %s to offset: [0], sizes: [2, 2], strides: [0, 3] : memref<4xf32> to memref<2x2xf32, strided<[0, 3]>>
  linalg.fill ins(%g : f32) outs(%v : memref<2x2xf32, strided<[0, 3]>>)
  linalg.exp ins(%s : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// The first eight bytes of the buffer are never read, but where the view begins is known only at run time.
// CHECK-LABEL: func.func @unknown_place(
// CHECK: %[[VIEW:.*]] = memref.view %{{.*}}[%arg0][]
// CHECK: linalg.fill {{.*}} outs(%[[VIEW]] :
func.func @unknown_place(%i: index, %b: memref<6xf32>) {
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.5 : f32
  %g = arith.constant 2.5 : f32
  %s = memref.alloc() : memref<32xi8>
  %all = memref.view %s[%c8][] : memref<32xi8> to memref<6xf32>
  linalg.fill ins(%f : f32) outs(%all : memref<6xf32>)
  %v = memref.view %s[%i][] : memref<32xi8> to memref<4xf32>
  linalg.fill ins(%g : f32) outs(%v : memref<4xf32>)
  linalg.exp ins(%all : memref<6xf32>) outs(%b : memref<6xf32>)
  return
}
