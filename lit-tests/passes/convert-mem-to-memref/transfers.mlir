// A transfer becomes a copy where it is issued, which is one of the orders that an asynchronous
// transfer allows. Its token and waits are erased. A loop-carried token becomes an unused integer.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' \
// RUN:   | FileCheck %s --implicit-check-not=mem.wait --implicit-check-not=mem.token

// CHECK-LABEL: func.func @transfers
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[S:.*]]: memref<4xf32, strided<[2]>>)
func.func @transfers(%x: memref<4xf32>, %y: memref<4xf32>, %s: memref<4xf32, strided<[2]>>) {
  // CHECK-NEXT: memref.copy %[[X]], %[[Y]]
  mem.load %x to %y : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: memref.copy %[[Y]], %[[X]]
  mem.store %y to %x : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: memref.copy %[[X]], %[[S]]
  mem.swap %x to %s : memref<4xf32> to memref<4xf32, strided<[2]>>
  // CHECK-NEXT: memref.copy %[[S]], %[[X]]
  mem.move %s to %x : memref<4xf32, strided<[2]>> to memref<4xf32>
  // CHECK-NEXT: memref.copy %[[X]], %[[Y]]
  %t = mem.load async %x to %y : memref<4xf32> to memref<4xf32>
  // CHECK-NEXT: memref.copy %[[Y]], %[[S]]
  %u = mem.store async %y to %s : memref<4xf32> to memref<4xf32, strided<[2]>>
  mem.wait %t, %u
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: func.func @handed_on
func.func @handed_on(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %c0_i64) -> (i64)
  %t = mem.load async %x to %y : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %t) -> !mem.token {
    mem.wait %k
    %u = mem.load async %x to %y : memref<16xf32> to memref<16xf32>
    // CHECK: scf.yield %{{.*}} : i64
    scf.yield %u : !mem.token
  }
  mem.wait %r
  return
}
