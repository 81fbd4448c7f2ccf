// A view may yield scalars as well as a memref. The comparison with the original inspects views at
// their uses, and it used to find no counterpart for such a scalar.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: memref.extract_strided_metadata
// CHECK: return %{{.*}}, %{{.*}} : memref<f32>, index
func.func @main(%a : memref<?xf32, strided<[?], offset: ?>>) -> (memref<f32>, index) {
  %b, %o, %s, %t = memref.extract_strided_metadata %a : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
  return %b, %o : memref<f32>, index
}

// Scalar results of a view of a planned tensor, used by operations and by other views.
// CHECK-LABEL: func.func @planned
// CHECK-NOT: memref.alloc() : memref<8x8xf32>
// CHECK: return
func.func @planned(%x : memref<8x8xf32>, %i : index, %out : memref<8x8xf32>, %number : memref<index>) {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  %v = memref.subview %t[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %v : memref<4x8xf32, strided<[8, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  memref.store %offset, %number[] : memref<index>
  %w = memref.reinterpret_cast %base to offset: [%offset], sizes: [%sizes#0, %sizes#1], strides: [%strides#0, %strides#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %n = memref.dim %w, %sizes#0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  memref.store %n, %number[] : memref<index>
  linalg.exp ins(%t : memref<8x8xf32>) outs(%out : memref<8x8xf32>)
  return
}
