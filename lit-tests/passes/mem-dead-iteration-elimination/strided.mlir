// Iterations whose results are never read are gone: a convolution with a window of one element reads every other row
// and column, so the operations before it compute only those, as far as their own operands are concerned.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination,mem-dead-iteration-elimination)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination)' -o /dev/null --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination{break=short-buffer})' 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination{break=other-elements})' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination{break=old-strides})' 2>&1 | FileCheck %s --check-prefix=STRIDES
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination{break=nothing})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// SHORT: error: internal error in mem-dead-iteration-elimination: a buffer with fewer elements has another form; please report it
// OTHER: error: internal error in mem-dead-iteration-elimination: operand 1 of an operation with fewer iterations is another element; please report it
// STRIDES: error: internal error in mem-dead-iteration-elimination: operand 0 of an operation with fewer iterations is another element; please report it
// UNKNOWN: error: mem-dead-iteration-elimination: unknown value 'nothing' for option 'break': expected short-buffer, other-elements, old-strides

// COUNT: 4 buffers
// COUNT: 6604 bytes
// COUNT: 8 operations

// CHECK: #[[$EVEN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2, d2 * 2, d3)>
// CHECK: #[[$ODD:.*]] = affine_map<(d0) -> (d0 * 3 + 1)>

// CHECK-LABEL: func.func @residual
// The convolution before the sum moves its window by two elements, and keeps its name. The input of the sum is read
// The convolution before the sum moves its window by two elements, and keeps its name. Its own input, of which it
// does not read the last row, stays as it is: no index alone may cover a part of an operand only.
// CHECK: %[[X:.*]] = memref.alloc() : memref<1x18x18x4xf32>
// CHECK: %[[A:.*]] = memref.alloc() : memref<1x8x8x4xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[A]] : memref<1x8x8x4xf32>)
// CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%[[X]], %{{.*}}) outs(%[[A]] : memref<1x8x8x4xf32>)
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<1x8x8x4xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[$EVEN]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[A]], %{{.*}} : memref<1x8x8x4xf32>, memref<1x16x16x4xf32>) outs(%[[SUM]]
// CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%[[SUM]], %{{.*}} : memref<1x8x8x4xf32>, memref<1x1x4x8xf32>)
// CHECK: memref.dealloc %[[SUM]] : memref<1x8x8x4xf32>
func.func @residual(%in: memref<1x18x18x4xf32>, %skip: memref<1x16x16x4xf32>, %w: memref<3x3x4x4xf32>, %v: memref<1x1x4x8xf32>, %out: memref<1x8x8x8xf32>) {
  %c = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<1x18x18x4xf32>
  linalg.exp ins(%in : memref<1x18x18x4xf32>) outs(%x : memref<1x18x18x4xf32>)
  %a = memref.alloc() : memref<1x16x16x4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1x16x16x4xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : memref<1x18x18x4xf32>, memref<3x3x4x4xf32>) outs(%a : memref<1x16x16x4xf32>)
  %sum = memref.alloc() : memref<1x16x16x4xf32>
  linalg.add ins(%a, %skip : memref<1x16x16x4xf32>, memref<1x16x16x4xf32>) outs(%sum : memref<1x16x16x4xf32>)
  linalg.fill ins(%c : f32) outs(%out : memref<1x8x8x8xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%sum, %v : memref<1x16x16x4xf32>, memref<1x1x4x8xf32>) outs(%out : memref<1x8x8x8xf32>)
  memref.dealloc %sum : memref<1x16x16x4xf32>
  return
}

// Every third element from the second one on. What computes them reads one in three as well.
// CHECK-LABEL: func.func @every_third
// CHECK: %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ODD]], #{{.*}}], iterator_types = ["parallel"]} ins(%{{.*}} : memref<16xf32>) outs(%[[A]] : memref<5xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[A]] : memref<5xf32>) outs(%{{.*}} : memref<5xf32>)
func.func @every_third(%in: memref<16xf32>, %out: memref<5xf32>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 3 + 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%out : memref<5xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  }
  return
}

// Rows in front and behind that nothing reads, and in a loop.
// CHECK-LABEL: func.func @rows_in_a_loop
// CHECK: scf.for
// CHECK: %[[A:.*]] = memref.alloc() : memref<3x8xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<16x8xf32>) outs(%[[A]] : memref<3x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[A]] : memref<3x8xf32>) outs(%{{.*}} : memref<3x8xf32>)
func.func @rows_in_a_loop(%in: memref<16x8xf32>, %out: memref<3x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16x8xf32>
    linalg.exp ins(%in : memref<16x8xf32>) outs(%a : memref<16x8xf32>)
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + 6, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16x8xf32>) outs(%out : memref<3x8xf32>) {
    ^bb0(%e: f32, %o: f32):
      %sum = arith.addf %e, %o : f32
      linalg.yield %sum : f32
    }
    memref.dealloc %a : memref<16x8xf32>
  }
  return
}
