// Like transpose-in-place.mlir, but only the caller knows that the operand and the result are the same memref.
//
// RUN: mem-run %s --compare | FileCheck %s
// CHECK: equal: 1 values, 1024 bytes

func.func @f(%y: memref<16x16xf32>, %z: memref<16x16xf32>) attributes {no_inline} {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%b: memref<16x16xf32>, %n: index) {
  func.call @f(%b, %b) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
