// A table of 4,096 bytes is computed from indices, and read before and after a sum that
// depends on all of it. No tiles divide it as long as it has both readers. Computed again, it has two windows.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-narrow{budget=3000 extra-work=100},mem-validate)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=3000 extra-work=100},mem-tile{target=budget budget=3000})' | FileCheck %s --check-prefix=TILED
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=3000 extra-work=100},mem-tile{target=budget budget=3000})' -o %t.mlir && mem-run --compare -O0 %t.mlir | FileCheck %s --check-prefix=RUNS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=6000 extra-work=100})' | FileCheck %s --check-prefix=SAME
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=3000 extra-work=1})' | FileCheck %s --check-prefix=SAME
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=3000 extra-work=100})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: linalg.index 1
// CHECK-NOT: linalg.index
// CHECK-LABEL: func.func @changed
// CHECK: linalg.index 1
// CHECK-NOT: linalg.index

// TILED-LABEL: func.func @main
// TILED-NOT: memref<16x64xf32>
// TILED: scf.for
// TILED: scf.for
// TILED-LABEL: func.func @changed

// RUNS: equal: {{[0-9]+}} values

// With more room, or no permission to execute more, the program stays as it is.
// SAME-LABEL: func.func @main
// SAME: linalg.index 1
// SAME-NOT: linalg.index
// SAME-LABEL: func.func @changed

// STATS: 1 again
// STATS: 0 in-place

#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%at: memref<16xi32>, %w: memref<64x4xf32>, %g: memref<4x16xf32>, %y: memref<16x4xf32> {bufferize.result}, %d: memref<4x64xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %table = memref.alloc() : memref<16x64xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%at : memref<16xi32>) outs(%table : memref<16x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %index = linalg.index 1 : index
    %column = arith.index_cast %index : index to i32
    %is = arith.cmpi eq, %column, %i : i32
    %r = arith.uitofp %is : i1 to f32
    linalg.yield %r : f32
  }
  %a = memref.alloc() : memref<16x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<16x4xf32>)
  linalg.matmul ins(%table, %w : memref<16x64xf32>, memref<64x4xf32>) outs(%a : memref<16x4xf32>)
  memref.copy %a, %y : memref<16x4xf32> to memref<16x4xf32>
  %sum = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<f32>)
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%a : memref<16x4xf32>) outs(%sum : memref<f32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  %s = memref.load %sum[] : memref<f32>
  %f = memref.alloc() : memref<4x16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : memref<4x16xf32>) outs(%f : memref<4x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.mulf %i, %s : f32
    linalg.yield %r : f32
  }
  %b = memref.alloc() : memref<4x64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x64xf32>)
  linalg.matmul ins(%f, %table : memref<4x16xf32>, memref<16x64xf32>) outs(%b : memref<4x64xf32>)
  memref.copy %b, %d : memref<4x64xf32> to memref<4x64xf32>
  return
}

// The indices have changed meanwhile.
func.func @changed(%at: memref<16xi32>, %w: memref<64x4xf32>, %g: memref<4x16xf32>, %y: memref<16x4xf32> {bufferize.result}, %d: memref<4x64xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %three = arith.constant 3 : i32
  %table = memref.alloc() : memref<16x64xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%at : memref<16xi32>) outs(%table : memref<16x64xf32>) {
  ^bb0(%i: i32, %o: f32):
    %index = linalg.index 1 : index
    %column = arith.index_cast %index : index to i32
    %is = arith.cmpi eq, %column, %i : i32
    %r = arith.uitofp %is : i1 to f32
    linalg.yield %r : f32
  }
  %a = memref.alloc() : memref<16x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<16x4xf32>)
  linalg.matmul ins(%table, %w : memref<16x64xf32>, memref<64x4xf32>) outs(%a : memref<16x4xf32>)
  memref.copy %a, %y : memref<16x4xf32> to memref<16x4xf32>
  memref.store %three, %at[%none] : memref<16xi32>
  %sum = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<f32>)
  linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%a : memref<16x4xf32>) outs(%sum : memref<f32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.addf %o, %i : f32
    linalg.yield %r : f32
  }
  %s = memref.load %sum[] : memref<f32>
  %f = memref.alloc() : memref<4x16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g : memref<4x16xf32>) outs(%f : memref<4x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.mulf %i, %s : f32
    linalg.yield %r : f32
  }
  %b = memref.alloc() : memref<4x64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x64xf32>)
  linalg.matmul ins(%f, %table : memref<4x16xf32>, memref<16x64xf32>) outs(%b : memref<4x64xf32>)
  memref.copy %b, %d : memref<4x64xf32> to memref<4x64xf32>
  return
}
