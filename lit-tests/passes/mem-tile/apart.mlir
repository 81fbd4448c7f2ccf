// The widest operation runs while no operation accesses the window of the pooling. Two of its three
// rows are kept in a buffer of their own meanwhile, because the whole window would take more memory.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{overlap=keep})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<1x2x4xf32>
// CHECK: scf.for
// CHECK: %[[WINDOW:.*]] = memref.alloc() : memref<1x3x4xf32>
// CHECK: %[[FIRST:.*]] = memref.subview %[[WINDOW]][0, 0, 0] [1, 2, 4]
// CHECK: memref.copy %[[KEPT]], %[[FIRST]]
// CHECK: linalg.pooling_nwc_sum {{.*}} ins(%[[WINDOW]],
// CHECK: %[[NEXT:.*]] = memref.subview %[[WINDOW]][0, 1, 0] [1, 2, 4]
// CHECK: memref.copy %[[NEXT]], %[[KEPT]]
// CHECK: linalg.conv_1d_nwc_wcf {{.*}} outs(%{{.*}} : memref<1x1x64xf32>)
func.func @main(%x: memref<1x34x4xf32>, %w: memref<1x4x64xf32>, %v: memref<1x64x5xf32>, %out: memref<1x32x5xf32>) {
  %c = arith.constant 0.0 : f32
  %shape = memref.alloc() : memref<3xf32>
  %a = memref.alloc() : memref<1x34x4xf32>
  linalg.exp ins(%x : memref<1x34x4xf32>) outs(%a : memref<1x34x4xf32>)
  %p = memref.alloc() : memref<1x32x4xf32>
  linalg.fill ins(%c : f32) outs(%p : memref<1x32x4xf32>)
  linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %shape : memref<1x34x4xf32>, memref<3xf32>) outs(%p : memref<1x32x4xf32>)
  %b = memref.alloc() : memref<1x32x64xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1x32x64xf32>)
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%p, %w : memref<1x32x4xf32>, memref<1x4x64xf32>) outs(%b : memref<1x32x64xf32>)
  %d = memref.alloc() : memref<1x32x5xf32>
  linalg.fill ins(%c : f32) outs(%d : memref<1x32x5xf32>)
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%b, %v : memref<1x32x64xf32>, memref<1x64x5xf32>) outs(%d : memref<1x32x5xf32>)
  memref.copy %d, %out : memref<1x32x5xf32> to memref<1x32x5xf32>
  return
}
