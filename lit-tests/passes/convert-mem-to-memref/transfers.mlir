// A transfer is a copy, done when it is issued: one of the orders that an asynchronous one allows. Its
// token and the waits for it go away.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' \
// RUN:   | FileCheck %s --implicit-check-not=mem.wait --implicit-check-not=token

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
