// A transposed convolution: its weights are reversed in both dimensions and their channels change places, in two
// copies. The convolution reads the argument instead, and neither copy exists. An operand that is never read states
// the size of the window.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time hierarchy=npu})' | FileCheck %s --check-prefix=TIME
// RUN: mem-run %s --compare --pipeline-options='tile=peak' | FileCheck %s --check-prefix=EQUAL

// CHECK-DAG: #[[REVERSED:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (-d4 + 1, -d5 + 1, d3, d6)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5)>
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1x8x8x4xf32>, %[[W:[a-z0-9]+]]: memref<2x2x4x4xf32>,
// CHECK-NOT: memref.alloc() : memref<2x2x4x4xf32>
// CHECK: %[[SIZES:.*]] = memref.subview %[[W]][0, 0, 0, 0] [2, 2, 1, 1] [1, 1, 1, 1]
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[REVERSED]], #[[WINDOW]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[X]], %[[W]], %[[SIZES]] :
// CHECK-NOT: memoized
// CHECK: arith.mulf
// CHECK: arith.addf
// TIME-LABEL: func.func @main
// TIME: linalg.conv_2d_nhwc_hwcf
// EQUAL: equal:
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @main(%x: memref<1x8x8x4xf32>, %w: memref<2x2x4x4xf32>, %out: memref<1x7x7x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %u = memref.alloc() : memref<2x2x4x4xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%u : memref<2x2x4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %r = arith.subi %one, %i : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %l = linalg.index 3 : index
    %e = memref.load %w[%r, %j, %k, %l] : memref<2x2x4x4xf32>
    linalg.yield %e : f32
  }
  %v = memref.alloc() : memref<2x2x4x4xf32>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, 1 - b, d, c)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%u : memref<2x2x4x4xf32>) outs(%v : memref<2x2x4x4xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  %y = memref.alloc() : memref<1x7x7x4xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<1x7x7x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %v : memref<1x8x8x4xf32>, memref<2x2x4x4xf32>) outs(%y : memref<1x7x7x4xf32>)
  memref.copy %y, %out : memref<1x7x7x4xf32> to memref<1x7x7x4xf32>
  return
}
