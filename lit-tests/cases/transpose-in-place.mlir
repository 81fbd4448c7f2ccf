// A transpose reads elements in a different order than it writes them, so it needs a copy of the data that it overwrites.
//
// RUN: mem-run %s --compare | FileCheck %s
// CHECK: equal: 1 values, 1024 bytes

func.func @main(%z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%z : memref<16x16xf32>) permutation = [1, 0]
  return
}
