// The check finds errors in tiles: what was written is read back and executed on rows, next to the
// original operations. Between two convolutions, a tensor is padded by two rows above and none below.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s --check-prefix=RIGHT
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=short-halo})' 2>&1 | FileCheck %s --check-prefix=HALO
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=reverse-order})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=lost-remainder})' 2>&1 | FileCheck %s --check-prefix=REMAINDER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=wrong-side})' 2>&1 | FileCheck %s --check-prefix=SIDE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=?})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=short-halo target=capacity capacity=100000})' 2>&1 | FileCheck %s --check-prefix=NOTHING

// RIGHT: scf.for
// HALO: error: internal error in mem-tile: operand {{[0-9]}} of operation s5: row {{[0-9]+}} does not hold its value; please report it
// HALO: note: operation s5 is this 'linalg.conv_2d_nhwc_hwcf'
// ORDER: error: internal error in mem-tile: operand {{[0-9]}} of operation s5: row 13 does not hold its value; please report it
// ORDER: note: operation s5 is this 'linalg.conv_2d_nhwc_hwcf'
// REMAINDER: error: internal error in mem-tile: row 13 of buffer '{{.*}}' does not hold its value at the end; please report it
// SIDE: error: internal error in mem-tile: operand {{[0-9]}} of operation s5: row {{[0-9]+}} does not hold its value; please report it
// SIDE: note: operation s5 is this 'linalg.conv_2d_nhwc_hwcf'
// UNKNOWN: error: mem-tile: unknown value '?' for option 'break': expected short-halo, reverse-order, lost-remainder, wrong-side
// NOTHING: remark: mem-tile: there is nothing to break: short-halo
// NOTHING-NOT: scf.for

func.func @main(%x: memref<1x16x16x4xf32>, %w: memref<3x3x4x4xf32>, %v: memref<3x3x4x4xf32>, %out: memref<1x14x12x4xf32>) {
  %c = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x14x14x4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1x14x14x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x16x16x4xf32>, memref<3x3x4x4xf32>) outs(%a : memref<1x14x14x4xf32>)
  %p = memref.alloc() : memref<1x16x14x4xf32>
  linalg.fill ins(%c : f32) outs(%p : memref<1x16x14x4xf32>)
  %inner = memref.subview %p[0, 2, 0, 0] [1, 14, 14, 4] [1, 1, 1, 1] : memref<1x16x14x4xf32> to memref<1x14x14x4xf32, strided<[896, 56, 4, 1], offset: 112>>
  memref.copy %a, %inner : memref<1x14x14x4xf32> to memref<1x14x14x4xf32, strided<[896, 56, 4, 1], offset: 112>>
  %b = memref.alloc() : memref<1x14x12x4xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1x14x12x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %v : memref<1x16x14x4xf32>, memref<3x3x4x4xf32>) outs(%b : memref<1x14x12x4xf32>)
  memref.copy %b, %out : memref<1x14x12x4xf32> to memref<1x14x12x4xf32>
  return
}
