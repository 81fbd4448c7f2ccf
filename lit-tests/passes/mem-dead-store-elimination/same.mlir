// Writes of values that the target already holds.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-store-elimination)' | FileCheck %s

// Every iteration stores the value that was there before the loop.
// CHECK-LABEL: func.func @loaded_before_a_loop
// CHECK-NOT: memref.store
// CHECK: return
func.func @loaded_before_a_loop(%a: memref<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%c0] : memref<8xf32>
  }
  return %x : f32
}

// CHECK-LABEL: func.func @stored_before_a_loop
// CHECK-COUNT-1: memref.store
// CHECK-NOT: memref.store
// CHECK: return
func.func @stored_before_a_loop(%a: memref<8xf32>, %x: f32, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %a[%i] : memref<8xf32>
  scf.for %j = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @copied_before
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @copied_before(%a: memref<8xf32>, %b: memref<8xf32> {llvm.noalias}, %x: f32, %p: i1) {
  %c1 = arith.constant 1 : index
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  scf.if %p {
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  } else {
    memref.store %x, %b[%c1] : memref<8xf32>
  }
  return
}

// If the arguments alias, the loop writes the same element through the other argument.
// CHECK-LABEL: func.func @perhaps_the_same
// CHECK: scf.for
// CHECK: memref.store
// CHECK: memref.store
// CHECK: return
func.func @perhaps_the_same(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32, %y: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %a[%c1] : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %y, %b[%c1] : memref<8xf32>
    memref.store %x, %a[%c1] : memref<8xf32>
  }
  return
}

// Each iteration loads a different value.
// CHECK-LABEL: func.func @loaded_in_a_loop
// CHECK: scf.for
// CHECK: memref.store
// CHECK: memref.store
// CHECK: return
func.func @loaded_in_a_loop(%a: memref<8xf32>, %b: memref<8xf32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<8xf32>
    memref.store %x, %a[%c0] : memref<8xf32>
    mem.kernel "look" uses(%a : memref<8xf32>)
    %y = memref.load %b[%c0] : memref<8xf32>
    memref.store %y, %a[%c0] : memref<8xf32>
    mem.kernel "look" uses(%a : memref<8xf32>)
  }
  return
}

// The source of the copy has changed.
// CHECK-LABEL: func.func @copied_from_something_else
// CHECK-COUNT-2: memref.copy
func.func @copied_from_something_else(%a: memref<8xf32>, %b: memref<8xf32> {llvm.noalias}, %x: f32) {
  %c1 = arith.constant 1 : index
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  mem.kernel "look" uses(%b : memref<8xf32>)
  memref.store %x, %a[%c1] : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return
}
