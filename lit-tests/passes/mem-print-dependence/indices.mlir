// Elements at unknown indices: the same index twice, the index plus one, and in between an array that may alias.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-dependence{output=-})' -o /dev/null | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-dependence{output=- noalias-arguments=true})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=NOALIAS

// CHECK: define arg0[4*v0, 4*v0+4) -> dead
// CHECK: define arg1[4*v0, 4*v0+4) -> s5
// CHECK: define arg0[4*v0, 4*v0+4) -> s4, s5
// CHECK: define arg0[4*v0+4, 4*v0+8) -> s5
// CHECK: use arg0[4*v0, 4*v0+4) <- s2 arg0[0, 64)
// CHECK: use arg0[4, 8) <- entry arg0[4, 8), s1 arg0[4, 8), s2 arg0[4, 8), s3 arg0[4, 8)
// CHECK: define arg0[20, 24) -> outside

// NOALIAS: use arg0[4, 8) <- entry arg0[4, 8), s2 arg0[4, 8), s3 arg0[4, 8)
func.func @d(%m: memref<16xf32>, %n: memref<16xf32>, %i: index, %j: index, %v: f32) -> f32 {
  memref.store %v, %m[%i] : memref<16xf32>
  memref.store %v, %n[%i] : memref<16xf32>
  memref.store %v, %m[%i] : memref<16xf32>
  %c1 = arith.constant 1 : index
  %k = arith.addi %i, %c1 : index
  memref.store %v, %m[%k] : memref<16xf32>
  %x = memref.load %m[%i] : memref<16xf32>
  %y = memref.load %m[%c1] : memref<16xf32>
  %s = memref.subview %m[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  memref.store %v, %s[%c1] : memref<8xf32, strided<[1], offset: 4>>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
