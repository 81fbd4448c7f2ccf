// A result that is computed into a temporary and then copied to an argument must not be computed in
// place: the argument may partially overlap the operand.
//
// RUN: mem-run %s --compare | FileCheck %s
// CHECK: equal: 1 values, 1024 bytes

func.func @f(%y: memref<64xf32>, %z: memref<64xf32>) attributes {no_inline} {
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%z : memref<64xf32>) outs(%t : memref<64xf32>)
  memref.copy %t, %y : memref<64xf32> to memref<64xf32>
  return
}
func.func @main(%b: memref<1024xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %y = memref.view %b[%c4][] : memref<1024xi8> to memref<64xf32>
  %z = memref.view %b[%c0][] : memref<1024xi8> to memref<64xf32>
  func.call @f(%y, %z) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}
