// A sum of 4,096 bytes takes the place of its first operand: the other one is a window then, and no second tensor
// exists as a whole. The call keeps the first operand out of the tiles.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-narrow{budget=6000},mem-validate)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=6000},mem-tile{target=budget budget=6000})' | FileCheck %s --check-prefix=TILED
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=9000})' | FileCheck %s --check-prefix=SAME
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-narrow)' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-narrow{budget=1 extra-work=-1})' 2>&1 | FileCheck %s --check-prefix=WORK

// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = memref.alloc() : memref<64x16xf32>
// CHECK: linalg.generic {{.*}} ins(%[[A]], %{{.*}} : memref<64x16xf32>, memref<16x64xf32>) outs(%[[A]] : memref<64x16xf32>)
// CHECK: memref.copy %[[A]], %{{.*}}
// CHECK-NOT: memref.alloc
// CHECK-LABEL: func.func @used
// CHECK: linalg.generic {{.*}} outs(%[[C:.*]] : memref<64x16xf32>)
// CHECK: memref.copy %[[C]], %{{.*}}

// CHECK-LABEL: func.func @early
// CHECK: %[[C:.*]] = memref.alloc() : memref<64x16xf32>
// CHECK: memref.cast %[[C]]
// CHECK: linalg.generic {{.*}} outs(%[[C]] : memref<64x16xf32>)

// TILED-LABEL: func.func @main
// TILED: scf.for
// TILED: linalg.matmul
// TILED-LABEL: func.func @used

// SAME-LABEL: func.func @main
// SAME: linalg.generic {{.*}} outs(%[[C:.*]] : memref<64x16xf32>)
// SAME: memref.copy %[[C]], %{{.*}}

// MISSING: error: mem-narrow: requires option 'budget'
// WORK: error: mem-narrow: invalid value '-1' for option 'extra-work': expected a number from 0 to 4294967295

#id = affine_map<(d0, d1) -> (d0, d1)>
#across = affine_map<(d0, d1) -> (d1, d0)>
func.func private @tick()
func.func @main(%x: memref<64x16xf32>, %u: memref<16x4xf32>, %v: memref<4x64xf32>, %out: memref<64x16xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64x16xf32>
  linalg.exp ins(%x : memref<64x16xf32>) outs(%a : memref<64x16xf32>)
  call @tick() : () -> ()
  %p = memref.alloc() : memref<16x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<16x64xf32>)
  linalg.matmul ins(%u, %v : memref<16x4xf32>, memref<4x64xf32>) outs(%p : memref<16x64xf32>)
  %c = memref.alloc() : memref<64x16xf32>
  linalg.generic {indexing_maps = [#id, #across, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %p : memref<64x16xf32>, memref<16x64xf32>) outs(%c : memref<64x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  }
  memref.copy %c, %out : memref<64x16xf32> to memref<64x16xf32>
  return
}

// The operand is used afterwards.
func.func @used(%x: memref<64x16xf32>, %u: memref<16x4xf32>, %v: memref<4x64xf32>, %out: memref<64x16xf32> {bufferize.result}, %other: memref<64x16xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64x16xf32>
  linalg.exp ins(%x : memref<64x16xf32>) outs(%a : memref<64x16xf32>)
  call @tick() : () -> ()
  %p = memref.alloc() : memref<16x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<16x64xf32>)
  linalg.matmul ins(%u, %v : memref<16x4xf32>, memref<4x64xf32>) outs(%p : memref<16x64xf32>)
  %c = memref.alloc() : memref<64x16xf32>
  linalg.generic {indexing_maps = [#id, #across, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %p : memref<64x16xf32>, memref<16x64xf32>) outs(%c : memref<64x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  }
  memref.copy %c, %out : memref<64x16xf32> to memref<64x16xf32>
  memref.copy %a, %other : memref<64x16xf32> to memref<64x16xf32>
  return
}

// A view of the result precedes the operand.
func.func @early(%x: memref<64x16xf32>, %u: memref<16x4xf32>, %v: memref<4x64xf32>, %out: memref<64x16xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x16xf32>
  %view = memref.cast %c : memref<64x16xf32> to memref<64x16xf32, strided<[16, 1], offset: ?>>
  %a = memref.alloc() : memref<64x16xf32>
  linalg.exp ins(%x : memref<64x16xf32>) outs(%a : memref<64x16xf32>)
  call @tick() : () -> ()
  %p = memref.alloc() : memref<16x64xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<16x64xf32>)
  linalg.matmul ins(%u, %v : memref<16x4xf32>, memref<4x64xf32>) outs(%p : memref<16x64xf32>)
  linalg.generic {indexing_maps = [#id, #across, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %p : memref<64x16xf32>, memref<16x64xf32>) outs(%c : memref<64x16xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  }
  memref.copy %view, %out : memref<64x16xf32, strided<[16, 1], offset: ?>> to memref<64x16xf32>
  return
}
