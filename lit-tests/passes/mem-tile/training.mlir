// The loss of a training step and the gradient of its weights, for a few rows of scores at a time: scores,
// probabilities and targets never exist as a whole. Every tile adds its rows to the gradient, and the loss is
// stored after the tiles, although operations of the tiles follow it in the program. The targets are rows of
// no buffer, since `collapse_shape` merges two dimensions, but indices of an operand.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-run --compare -O0 --pipeline-options tile=peak %s | FileCheck %s --check-prefix=RUNS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=early-reader})' 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=reverse-order})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=lost-remainder})' 2>&1 | FileCheck %s --check-prefix=REMAINDER
// RUN: sed 's/ {bufferize.result}//' %s | mem-opt --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s --check-prefix=ALIAS
//
// RUNS: equal: {{[0-9]+}} values
// EARLY: error: internal error in mem-tile: operand 0 of operation s{{[0-9]+}}: row {{[0-9]+}} does not hold its value; please report it
// ORDER: error: internal error in mem-tile: operand {{[0-9]}} of operation s{{[0-9]+}}: row 0 does not hold its value; please report it
// REMAINDER: error: internal error in mem-tile: operand 0 of operation s9: row 15 does not hold its value; please report it

// CHECK-LABEL: func.func @main
// CHECK-NOT: memref<16x64xf32>
// CHECK: %[[FLAT:.*]] = memref.collapse_shape
// CHECK: %[[GRADIENT:.*]] = memref.alloc() : memref<8x64xf32>
// CHECK-NOT: memref<16x64xf32>
// CHECK: linalg.fill {{.*}} outs(%[[GRADIENT]]
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: memref.subview %[[FLAT]]
// CHECK: linalg.generic {{.*}} outs(%[[GRADIENT]] : memref<8x64xf32>) {{.*}}{
// CHECK: } {mem.group = 0 : i64}
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}} outs(%[[TOTAL:.*]] : memref<f32>)
// CHECK: %[[LOADED:.*]] = memref.load %[[TOTAL]]
// CHECK: %[[LOSS:.*]] = arith.negf %[[LOADED]]
// CHECK: memref.store %[[LOSS]]

// The store might overwrite the input, which the gradient of the weights is computed from: it is computed after
// the store. The operations before have read their arguments before it.
// ALIAS-LABEL: func.func @main
// ALIAS: scf.for
// ALIAS: } {mem.group = 0 : i64}
// ALIAS: memref.store
// ALIAS: linalg.generic {{.*}} outs(%{{.*}} : memref<8x64xf32>)
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#ki = affine_map<(d0, d1, d2) -> (d2, d0)>
#kj = affine_map<(d0, d1, d2) -> (d2, d1)>
#ij = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%targets: memref<4x4xi32>, %x: memref<16x8xf32>, %w: memref<8x64xf32>, %loss: memref<f32> {bufferize.result}, %dw: memref<8x64xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %scores = memref.alloc() : memref<16x64xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<16x64xf32>)
  linalg.matmul ins(%x, %w : memref<16x8xf32>, memref<8x64xf32>) outs(%scores : memref<16x64xf32>)
  %e = memref.alloc() : memref<16x64xf32>
  linalg.exp ins(%scores : memref<16x64xf32>) outs(%e : memref<16x64xf32>)
  %sums = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<16xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%e : memref<16x64xf32>) outs(%sums : memref<16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  %flat = memref.collapse_shape %targets [[0, 1]] : memref<4x4xi32> into memref<16xi32>
  %hot = memref.alloc() : memref<16x64xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%flat : memref<16xi32>) outs(%hot : memref<16x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %at = linalg.index 1 : index
    %column = arith.index_cast %at : index to i32
    %is = arith.cmpi eq, %column, %i : i32
    %r = arith.uitofp %is : i1 to f32
    linalg.yield %r : f32
  }
  %picked = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%picked : memref<16xf32>)
  linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%hot, %scores : memref<16x64xf32>, memref<16x64xf32>) outs(%picked : memref<16xf32>) {
  ^bb0(%h: f32, %s: f32, %o: f32):
    %p = arith.mulf %h, %s : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  }
  %total = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%total : memref<f32>)
  linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]} ins(%picked : memref<16xf32>) outs(%total : memref<f32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  %loaded = memref.load %total[] : memref<f32>
  %negative = arith.negf %loaded : f32
  memref.store %negative, %loss[] : memref<f32>
  %g = memref.alloc() : memref<16x64xf32>
  linalg.generic {indexing_maps = [#id, #row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%e, %sums, %hot : memref<16x64xf32>, memref<16xf32>, memref<16x64xf32>) outs(%g : memref<16x64xf32>) {
  ^bb0(%i: f32, %s: f32, %h: f32, %o: f32):
    %p = arith.divf %i, %s : f32
    %r = arith.subf %p, %h : f32
    linalg.yield %r : f32
  }
  %d = memref.alloc() : memref<8x64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8x64xf32>)
  linalg.generic {indexing_maps = [#ki, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %g : memref<16x8xf32>, memref<16x64xf32>) outs(%d : memref<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  }
  memref.copy %d, %dw : memref<8x64xf32> to memref<8x64xf32>
  return
}
