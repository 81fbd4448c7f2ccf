// A residual block whose input is used once more: its result has a place of its own, and the check finds a result
// that is written over the input nevertheless.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=wrong-takeover})' 2>&1 | FileCheck %s --check-prefix=BROKEN

// CHECK-LABEL: func.func @main
// CHECK: %[[INPUT:.*]] = memref.alloc() : memref<1x32x32xf32>
// CHECK: %[[RESULT:.*]] = memref.alloc() : memref<1x32x32xf32>
// CHECK: scf.for
// CHECK: linalg.add ins(%[[RESULT]], %[[INPUT]] : memref<1x32x32xf32>
// BROKEN: error: internal error in mem-tile: '{{.*}}' cannot take the place of '{{.*}}'; please report it
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
  linalg.add ins(%e, %a : memref<1x32x32xf32>, memref<1x32x32xf32>) outs(%out : memref<1x32x32xf32>)
  return
}
