// Operations that are not divided.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// CHECK-NOT: scf.for

#id = affine_map<(d0, d1) -> (d0, d1)>

// The arguments may overlap, so all of `%x` has to be read before `%out` is written.
// CHECK-LABEL: func.func @writes_argument
func.func @writes_argument(%x: memref<16x16xf32>, %out: memref<16x16xf32>) {
  %a = memref.alloc() : memref<16x16xf32>
  memref.copy %x, %a : memref<16x16xf32> to memref<16x16xf32>
  memref.copy %a, %out : memref<16x16xf32> to memref<16x16xf32>
  return
}

// A call between two operations may access anything.
// CHECK-LABEL: func.func @call
func.func private @extern(memref<16x16xf32>)
func.func @call(%x: memref<16x16xf32>) -> memref<16x16xf32> {
  %a = memref.alloc() : memref<16x16xf32>
  memref.copy %x, %a : memref<16x16xf32> to memref<16x16xf32>
  call @extern(%a) : (memref<16x16xf32>) -> ()
  %b = memref.alloc() : memref<16x16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %i : f32
    linalg.yield %s : f32
  }
  return %b : memref<16x16xf32>
}

// The first index is not 0, so rows of the view do not start where the operation starts to read.
// CHECK-LABEL: func.func @shifted
func.func @shifted(%x: memref<18x16xf32>) -> memref<16x16xf32> {
  %a = memref.alloc() : memref<18x16xf32>
  memref.copy %x, %a : memref<18x16xf32> to memref<18x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + 2, d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<18x16xf32>) outs(%b : memref<16x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %i : f32
    linalg.yield %s : f32
  }
  return %b : memref<16x16xf32>
}
