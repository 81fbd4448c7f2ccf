// Elements whose size is unknown.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-expand-shape)' --verify-diagnostics

func.func @unknown_size(%x: memref<?xmemref<?xf32>>, %n: index, %m: index) {
  // expected-error@+1 {{cannot be lowered: its layout is not strided, or the size of its elements is unknown}}
  %e = memref.expand_shape %x [[0, 1]] output_shape [%n, %m] : memref<?xmemref<?xf32>> into memref<?x?xmemref<?xf32>>
  return
}
