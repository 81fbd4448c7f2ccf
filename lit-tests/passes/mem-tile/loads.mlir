// Bodies that load elements themselves. A load at linear indices becomes an operand, so that its rows are
// known: columns of the tensor are read tile by tile, and the result is written in their place.
//
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s

// CHECK-DAG: #[[REVERSED:.*]] = affine_map<(d0, d1) -> (-d0 + 7, d1)>
// CHECK-LABEL: func.func @reversed
// CHECK: linalg.exp {{.*}} outs(%[[ALL:.*]] : memref<8x64xf32>)
// CHECK: scf.for
// CHECK: %[[T:.*]] = memref.subview %[[ALL]][0, %{{.*}}] [8, 1] [1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[REVERSED]], #{{.*}}], {{.*}} ins(%[[T]] : memref<8x1xf32,
// CHECK-NOT: memref.load
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @reversed(%a: memref<8x64xf32>, %r: memref<8x64xf32>) {
  %last = arith.constant 7 : index
  %t = memref.alloc() : memref<8x64xf32>
  linalg.exp ins(%a : memref<8x64xf32>) outs(%t : memref<8x64xf32>)
  %u = memref.alloc() : memref<8x64xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%u : memref<8x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %i : index
    %x = memref.load %t[%k, %j] : memref<8x64xf32>
    linalg.yield %x : f32
  }
  %v = memref.alloc() : memref<8x64xf32>
  linalg.mul ins(%u, %t : memref<8x64xf32>, memref<8x64xf32>) outs(%v : memref<8x64xf32>)
  memref.copy %v, %r : memref<8x64xf32> to memref<8x64xf32>
  return
}

// -----

// Any element may be loaded, so the operation that computes them is not divided.
//
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: scf.for
// CHECK: memref.load
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @unknown(%a: memref<8x64xf32>, %r: memref<8x64xf32>) {
  %n = arith.constant 8 : index
  %t = memref.alloc() : memref<8x64xf32>
  linalg.exp ins(%a : memref<8x64xf32>) outs(%t : memref<8x64xf32>)
  %u = memref.alloc() : memref<8x64xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%u : memref<8x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.muli %i, %j : index
    %k = arith.remui %s, %n : index
    %x = memref.load %t[%k, %j] : memref<8x64xf32>
    linalg.yield %x : f32
  }
  %v = memref.alloc() : memref<8x64xf32>
  linalg.mul ins(%u, %t : memref<8x64xf32>, memref<8x64xf32>) outs(%v : memref<8x64xf32>)
  memref.copy %v, %r : memref<8x64xf32> to memref<8x64xf32>
  return
}

// -----

// A load that follows a store remains, and so does one of a part of a dimension, for which operands need
// a view.
//
// CHECK-LABEL: func.func @kept
// CHECK: linalg.generic
// CHECK: memref.store
// CHECK: memref.load
// CHECK: linalg.generic
// CHECK: memref.load
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @kept(%a: memref<8x64xf32>, %r: memref<8x64xf32>, %w: memref<16x64xf32>) {
  %first = arith.constant 0 : index
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%r : memref<8x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    memref.store %o, %a[%i, %j] : memref<8x64xf32>
    %x = memref.load %a[%i, %j] : memref<8x64xf32>
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%r : memref<8x64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = memref.load %w[%i, %j] : memref<16x64xf32>
    linalg.yield %x : f32
  }
  return
}
