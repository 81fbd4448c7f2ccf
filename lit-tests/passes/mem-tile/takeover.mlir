// A residual block: its input is added to its result, and not used afterwards. Row by row, the result is
// written over the input, so that one tensor exists as a whole instead of two.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{tile=peak noalias-arguments=true})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: mem-run %s --compare --pipeline-options='tile=peak noalias-arguments=true' | FileCheck %s --check-prefix=EQUAL

// The whole tensor has 4,096 bytes.
// CHECK-LABEL: func.func @main
// CHECK: %[[INPUT:.*]] = memref.alloc() : memref<1x32x32xf32>
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[INPUT]] : memref<1x32x32xf32>)
// CHECK-NOT: memref.alloc() : memref<1x32x32xf32>
// CHECK: scf.for
// CHECK: linalg.conv_1d_nwc_wcf {{.*}} outs(%[[SUM:.*]] : memref<1x1x32xf32>)
// CHECK: %[[ROW:.*]] = memref.subview %[[INPUT]][0, %{{.*}}, 0] [1, 1, 32]
// CHECK: %[[RESULT:.*]] = memref.subview %[[INPUT]][0, %{{.*}}, 0] [1, 1, 32]
// CHECK: linalg.add {{.*}} ins(%[[SUM]], %[[ROW]] : {{.*}}) outs(%[[RESULT]] :
// CHECK: linalg.exp ins(%[[INPUT]] : memref<1x32x32xf32>)
// CHECK-NOT: memref.alloc() : memref<1x32x32xf32>
// PEAK: 4480 peak - Bytes of the largest arena
// EQUAL: equal:
func.func @main(%x: memref<1x32x32xf32>, %w: memref<1x32x64xf32>, %v: memref<1x64x32xf32>, %out: memref<1x32x32xf32>) {
  %c = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x32x32xf32>
  linalg.exp ins(%x : memref<1x32x32xf32>) outs(%a : memref<1x32x32xf32>)
  %b = memref.alloc() : memref<1x32x64xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1x32x64xf32>)
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %w : memref<1x32x32xf32>, memref<1x32x64xf32>) outs(%b : memref<1x32x64xf32>)
  %d = memref.alloc() : memref<1x32x32xf32>
  linalg.fill ins(%c : f32) outs(%d : memref<1x32x32xf32>)
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%b, %v : memref<1x32x64xf32>, memref<1x64x32xf32>) outs(%d : memref<1x32x32xf32>)
  %e = memref.alloc() : memref<1x32x32xf32>
  linalg.add ins(%d, %a : memref<1x32x32xf32>, memref<1x32x32xf32>) outs(%e : memref<1x32x32xf32>)
  linalg.exp ins(%e : memref<1x32x32xf32>) outs(%out : memref<1x32x32xf32>)
  return
}
