// A transposed convolution: rows of the input are written to every other row of zeros. Each tile
// writes the rows that it needs: one row of zeros, or one that contains a row of the input.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: mem-run --compare -O0 --pipeline-options=tile=peak %s | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run --compare -O0 --pipeline-options='tile=fit capacity=20000' %s | FileCheck %s --check-prefix=EQUAL

// CHECK-LABEL: func.func @main
// CHECK-NOT: memref<1x33x33x4xf32>
// CHECK: scf.for
// CHECK: linalg.fill
// CHECK: %[[ROW:.*]] = memref.subview %{{.*}}[0, %{{.*}}, 0, 0] [1, 1, 16, 4] [1, 1, 1, 1]
// CHECK: memref.subview %{{.*}}[0, 0, 1, 0] [1, 1, 16, 4] [1, {{[12]}}, 2, 1]
// CHECK: memref.copy
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-NOT: memref<1x33x33x4xf32>
// CHECK: return

// STATISTICS: (S) {{ *}}1 groups

// EQUAL: equal: {{[0-9]+}} values

func.func @main(%x: memref<1x16x16x4xf32>, %w: memref<2x2x4x4xf32>, %out: memref<1x32x32x4xf32>) {
  %c = arith.constant 0.0 : f32
  %result = memref.alloc() : memref<1x32x32x4xf32>
  linalg.fill ins(%c : f32) outs(%result : memref<1x32x32x4xf32>)
  %zeros = memref.alloc() : memref<1x33x33x4xf32>
  linalg.fill ins(%c : f32) outs(%zeros : memref<1x33x33x4xf32>)
  %spread = memref.subview %zeros[0, 1, 1, 0] [1, 16, 16, 4] [1, 2, 2, 1] : memref<1x33x33x4xf32> to memref<1x16x16x4xf32, strided<[4356, 264, 8, 1], offset: 136>>
  memref.copy %x, %spread : memref<1x16x16x4xf32> to memref<1x16x16x4xf32, strided<[4356, 264, 8, 1], offset: 136>>
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%zeros, %w : memref<1x33x33x4xf32>, memref<2x2x4x4xf32>) outs(%result : memref<1x32x32x4xf32>)
  memref.copy %result, %out : memref<1x32x32x4xf32> to memref<1x32x32x4xf32>
  return
}
