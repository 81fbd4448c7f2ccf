// Two convolutions run row by row: between them there are three rows instead of a whole tensor, two
// of which are kept from tile to tile.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=capacity capacity=100000})' | FileCheck %s --check-prefix=ENOUGH

// STATISTICS: (S) {{ *}}1 groups
// STATISTICS: (S) {{ *}}0 extra
// STATISTICS: (S) {{ *}}6272 before
// STATISTICS: (S) {{ *}}3584 after

// What fits is not divided.
// ENOUGH-NOT: scf.for
// ENOUGH: memref.alloc() : memref<1x16x14x4xf32>
// ENOUGH-NOT: scf.for

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @main
// CHECK-NOT: memref<1x16x14x4xf32>
// CHECK: %[[RESULT:.*]] = memref.alloc() : memref<1x14x12x4xf32>
// CHECK: %[[WINDOW:.*]] = memref.alloc() : memref<1x3x14x4xf32>
// CHECK: scf.for %[[TILE:[a-z0-9]*]] =
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} outs(%[[ROW:.*]] : memref<1x1x14x4xf32>)
// CHECK: %[[LAST:.*]] = memref.subview %[[WINDOW]][0, 2, 0, 0] [1, 1, 14, 4]
// CHECK: linalg.generic {{.*}} ins(%[[ROW]] : memref<1x1x14x4xf32>) outs(%[[LAST]]
// CHECK: linalg.fill
// CHECK: %[[SLICE:.*]] = memref.subview %[[RESULT]][0, %[[TILE]], 0, 0] [1, 1, 12, 4]
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[WINDOW]], %{{.*}} outs(%[[SLICE]]
// The rows move ahead one by one, so that no copy overlaps itself.
// CHECK: %[[FROM0:.*]] = memref.subview %[[WINDOW]][0, 1, 0, 0] [1, 1, 14, 4]
// CHECK: %[[TO0:.*]] = memref.subview %[[WINDOW]][0, 0, 0, 0] [1, 1, 14, 4]
// CHECK: memref.copy %[[FROM0]], %[[TO0]]
// CHECK: %[[FROM1:.*]] = memref.subview %[[WINDOW]][0, 2, 0, 0] [1, 1, 14, 4]
// CHECK: %[[TO1:.*]] = memref.subview %[[WINDOW]][0, 1, 0, 0] [1, 1, 14, 4]
// CHECK: memref.copy %[[FROM1]], %[[TO1]]
func.func @main(%x: memref<1x18x16x4xf32>, %w: memref<3x3x4x4xf32>, %v: memref<3x3x4x4xf32>, %out: memref<1x14x12x4xf32>) {
  %c = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x16x14x4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1x16x14x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x18x16x4xf32>, memref<3x3x4x4xf32>) outs(%a : memref<1x16x14x4xf32>)
  %r = memref.alloc() : memref<1x16x14x4xf32>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : memref<1x16x14x4xf32>) outs(%r : memref<1x16x14x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.maximumf %in, %c : f32
    linalg.yield %m : f32
  }
  %b = memref.alloc() : memref<1x14x12x4xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1x14x12x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%r, %v : memref<1x16x14x4xf32>, memref<3x3x4x4xf32>) outs(%b : memref<1x14x12x4xf32>)
  memref.copy %b, %out : memref<1x14x12x4xf32> to memref<1x14x12x4xf32>
  return
}
