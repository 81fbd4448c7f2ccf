// Copies between memrefs that are not contiguous call a runtime function, which must be available.

// RUN: mem-run %s --compare | FileCheck %s

// CHECK: argument 1 {{.*}} changed    equal
// CHECK: equal: 2 values

func.func @main(%in: memref<4x6xf32>, %out: memref<4x6xf32>) {
  %a = memref.alloc() : memref<6x4xf32>
  %t = memref.transpose %in (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>
  memref.copy %t, %a : memref<6x4xf32, strided<[1, 6]>> to memref<6x4xf32>
  %from = memref.subview %a[1, 0] [2, 3] [2, 1]
      : memref<6x4xf32> to memref<2x3xf32, strided<[8, 1], offset: 4>>
  %to = memref.subview %out[0, 1] [2, 3] [3, 2]
      : memref<4x6xf32> to memref<2x3xf32, strided<[18, 2], offset: 1>>
  memref.copy %from, %to
      : memref<2x3xf32, strided<[8, 1], offset: 4>> to memref<2x3xf32, strided<[18, 2], offset: 1>>
  return
}
