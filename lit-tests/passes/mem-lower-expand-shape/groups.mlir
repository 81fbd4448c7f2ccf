// Groups with several run-time sizes become reinterpret_casts; upstream's `expand-strided-metadata` crashes on them.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-expand-shape)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' | FileCheck %s --check-prefix=LLVM
// RUN: mem-run %s --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s | FileCheck %s --check-prefix=ZERO

// LLVM-NOT: memref.
// EQUAL: equal:

// Only what the type leaves open is an operand.
// CHECK-LABEL: func.func @strided
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[INNER:.*]] = arith.muli %[[STRIDES]]#0, %arg2
// CHECK: %[[OUTER:.*]] = arith.muli %[[INNER]], %c4
// CHECK: memref.reinterpret_cast %arg0 to offset: [%[[OFFSET]]], sizes: [%arg1, 4, %arg2, 8], strides: [%[[OUTER]], %[[INNER]], %[[STRIDES]]#0, 1]
// CHECK-NOT: memref.expand_shape
func.func @strided(%x: memref<?x8xf32, strided<[?, 1], offset: ?>>, %n: index, %m: index)
    -> memref<?x4x?x8xf32, strided<[?, ?, ?, 1], offset: ?>> {
  %e = memref.expand_shape %x [[0, 1, 2], [3]] output_shape [%n, 4, %m, 8]
      : memref<?x8xf32, strided<[?, 1], offset: ?>> into memref<?x4x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>
  return %e : memref<?x4x?x8xf32, strided<[?, ?, ?, 1], offset: ?>>
}

// One run-time size in each group: upstream lowers it.
// CHECK-LABEL: func.func @one_per_group
// CHECK: memref.expand_shape
func.func @one_per_group(%x: memref<?x?xf32>, %n: index, %m: index) -> memref<?x4x2x?xf32> {
  %e = memref.expand_shape %x [[0, 1], [2, 3]] output_shape [%n, 4, 2, %m] : memref<?x?xf32> into memref<?x4x2x?xf32>
  return %e : memref<?x4x2x?xf32>
}

// The same transpose, with sizes known at compile time and at run time: the difference is zero. Divided by itself, it is not
// a number.
// CHECK-LABEL: func.func @main
// ZERO: argument 1 {{ *memref<24xf32> *96  changed    - *}} 24
func.func @main(%x: memref<24xf32>, %y: memref<24xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %from = memref.cast %x : memref<24xf32> to memref<?xf32>
  %z = memref.alloc() : memref<24xf32>
  %to = memref.cast %z : memref<24xf32> to memref<?xf32>
  // CHECK-COUNT-2: memref.reinterpret_cast
  %a = memref.expand_shape %from [[0, 1, 2]] output_shape [%c2, %c3, %c4] : memref<?xf32> into memref<?x?x?xf32>
  %b = memref.expand_shape %to [[0, 1, 2]] output_shape [%c4, %c2, %c3] : memref<?xf32> into memref<?x?x?xf32>
  linalg.transpose ins(%a : memref<?x?x?xf32>) outs(%b : memref<?x?x?xf32>) permutation = [2, 0, 1]
  %w = memref.alloc() : memref<24xf32>
  %c = memref.expand_shape %x [[0, 1, 2]] output_shape [2, 3, 4] : memref<24xf32> into memref<2x3x4xf32>
  %d = memref.expand_shape %w [[0, 1, 2]] output_shape [4, 2, 3] : memref<24xf32> into memref<4x2x3xf32>
  linalg.transpose ins(%c : memref<2x3x4xf32>) outs(%d : memref<4x2x3xf32>) permutation = [2, 0, 1]
  linalg.sub ins(%z, %w : memref<24xf32>, memref<24xf32>) outs(%z : memref<24xf32>)
  linalg.div ins(%z, %z : memref<24xf32>, memref<24xf32>) outs(%y : memref<24xf32>)
  return
}
