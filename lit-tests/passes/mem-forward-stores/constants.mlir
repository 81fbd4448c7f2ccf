// Loads from memory with constant contents, and from memory to which several stores write the same value.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-forward-stores)' | FileCheck %s

memref.global "private" constant @zeros : memref<4x4xf32> = dense<0.0>
memref.global "private" constant @three : memref<3xi32> = dense<[1, 2, 3]>
memref.global "private" @variable : memref<4xf32> = dense<0.0>
memref.global "private" constant @elsewhere : memref<4xf32>

// CHECK-LABEL: func.func @splat
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: return %[[ZERO]]
func.func @splat(%i: index, %j: index) -> f32 {
  %zeros = memref.get_global @zeros : memref<4x4xf32>
  %row = memref.subview %zeros[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %x = memref.load %row[%j] : memref<4xf32, strided<[1], offset: ?>>
  return %x : f32
}

// CHECK-LABEL: func.func @element
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[UNKNOWN:.*]] = memref.load
// CHECK: return %[[TWO]], %[[UNKNOWN]]
func.func @element(%i: index) -> (i32, i32) {
  %c1 = arith.constant 1 : index
  %three = memref.get_global @three : memref<3xi32>
  %x = memref.load %three[%c1] : memref<3xi32>
  %y = memref.load %three[%i] : memref<3xi32>
  return %x, %y : i32, i32
}

// Index 0 of the view is a different element, and index 7 is out of bounds.
// CHECK-LABEL: func.func @not_that_element
// CHECK-COUNT-2: memref.load
func.func @not_that_element() -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %three = memref.get_global @three : memref<3xi32>
  %rest = memref.subview %three[1] [2] [1] : memref<3xi32> to memref<2xi32, strided<[1], offset: 1>>
  %x = memref.load %rest[%c0] : memref<2xi32, strided<[1], offset: 1>>
  %y = memref.load %three[%c7] : memref<3xi32>
  return %x, %y : i32, i32
}

// CHECK-LABEL: func.func @not_constant
// CHECK-COUNT-2: memref.load
func.func @not_constant(%i: index) -> (f32, f32) {
  %variable = memref.get_global @variable : memref<4xf32>
  %elsewhere = memref.get_global @elsewhere : memref<4xf32>
  %x = memref.load %variable[%i] : memref<4xf32>
  %y = memref.load %elsewhere[%i] : memref<4xf32>
  return %x, %y : f32, f32
}

// CHECK-LABEL: func.func @same_on_both_branches
// CHECK-NOT: memref.load
// CHECK: return %arg1
func.func @same_on_both_branches(%a: memref<4xf32>, %x: f32, %p: i1, %i: index) -> f32 {
  scf.if %p {
    memref.store %x, %a[%i] : memref<4xf32>
  } else {
    linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  }
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}

// CHECK-LABEL: func.func @other_on_one_branch
// CHECK: memref.load
func.func @other_on_one_branch(%a: memref<4xf32>, %x: f32, %y: f32, %p: i1, %i: index) -> f32 {
  scf.if %p {
    memref.store %x, %a[%i] : memref<4xf32>
  } else {
    memref.store %y, %a[%i] : memref<4xf32>
  }
  %z = memref.load %a[%i] : memref<4xf32>
  return %z : f32
}

// The load reads the value stored in the previous iteration, and %x is a different value in this one.
// CHECK-LABEL: func.func @from_the_iteration_before
// CHECK: scf.for
// CHECK: memref.load %arg1
// CHECK: memref.load %arg0
func.func @from_the_iteration_before(%a: memref<1xf32> {llvm.noalias}, %b: memref<4xf32>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %z, %a[%c0] : memref<1xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<4xf32>
    %y = memref.load %a[%c0] : memref<1xf32>
    mem.kernel "use" uses(%a : memref<1xf32>)
    memref.store %y, %b[%i] : memref<4xf32>
    memref.store %x, %a[%c0] : memref<1xf32>
  }
  return
}
