// Loads that are replaced by the stored value, and loads that are not.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-forward-stores)' | FileCheck %s

// CHECK-LABEL: func.func @same_block
// CHECK-NEXT: memref.store
// CHECK-NEXT: return %arg2
func.func @same_block(%a: memref<8xf32>, %i: index, %v: f32) -> f32 {
  memref.store %v, %a[%i] : memref<8xf32>
  %x = memref.load %a[%i] : memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @overwritten_perhaps
// CHECK: %[[X:.*]] = memref.load
// CHECK: return %[[X]]
func.func @overwritten_perhaps(%a: memref<8xf32>, %i: index, %j: index, %v: f32, %w: f32) -> f32 {
  memref.store %v, %a[%i] : memref<8xf32>
  memref.store %w, %a[%j] : memref<8xf32>
  %x = memref.load %a[%i] : memref<8xf32>
  return %x : f32
}

// Other elements are written in between, some of them in a loop.
// CHECK-LABEL: func.func @across_a_loop
// CHECK-NOT: memref.load
// CHECK: return %arg1
func.func @across_a_loop(%a: memref<8xf32>, %v: f32, %w: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %w, %a[%i] : memref<8xf32>
    memref.store %w, %b[%c1] : memref<8xf32>
  }
  %x = memref.load %b[%c0] : memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @into_a_branch
// CHECK: scf.if
// CHECK-NEXT: scf.yield %arg2
func.func @into_a_branch(%a: memref<8xf32>, %p: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %a[%c0] : memref<8xf32>
  %r = scf.if %p -> f32 {
    %x = memref.load %a[%c0] : memref<8xf32>
    scf.yield %x : f32
  } else {
    scf.yield %v : f32
  }
  return %r : f32
}

// The stored value is defined inside a region, and does not dominate the load.
// CHECK-LABEL: func.func @no_name
// CHECK: memref.load
func.func @no_name(%a: memref<8xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xf32>
  scf.execute_region {
    %w = arith.addf %v, %v : f32
    memref.store %w, %b[%c0] : memref<8xf32>
    scf.yield
  }
  %x = memref.load %b[%c0] : memref<8xf32>
  return %x : f32
}

// Inside the loop, the load reads the value that the previous iteration stored.
// CHECK-LABEL: func.func @previous_iteration
// CHECK: scf.for
// CHECK: memref.load
func.func @previous_iteration(%a: memref<8xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  memref.store %v, %a[%c0] : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c0] : memref<8xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %a[%c0] : memref<8xf32>
  }
  %z = memref.load %a[%c0] : memref<8xf32>
  return %z : f32
}

// CHECK-LABEL: func.func @filled
// CHECK-NOT: memref.load
// CHECK: return %[[ZERO:.*]], %arg1
func.func @filled(%i: index, %v: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  %low = memref.subview %a[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  memref.store %v, %a[%c7] : memref<8xf32>
  %x = memref.load %low[%i] : memref<7xf32, strided<[1]>>
  %y = memref.load %a[%c7] : memref<8xf32>
  return %x, %y : f32, f32
}

// Stored as an integer, read as a float.
// CHECK-LABEL: func.func @another_type
// CHECK: memref.load
func.func @another_type(%v: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xi8>
  %i = memref.view %b[%c0][] : memref<4xi8> to memref<1xi32>
  %f = memref.view %b[%c0][] : memref<4xi8> to memref<1xf32>
  memref.store %v, %i[%c0] : memref<1xi32>
  %x = memref.load %f[%c0] : memref<1xf32>
  return %x : f32
}
