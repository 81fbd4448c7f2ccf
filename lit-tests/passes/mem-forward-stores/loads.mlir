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

// The element that is loaded begins inside of one that was stored, or may do so.
// CHECK-LABEL: func.func @parts_of_two_elements
// CHECK: memref.load
// CHECK: memref.load
// CHECK: return %arg0, %{{.*}}, %{{.*}}
func.func @parts_of_two_elements(%v: f32, %n: index) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %bytes = memref.alloc() : memref<32xi8>
  %all = memref.view %bytes[%c0][] : memref<32xi8> to memref<8xf32>
  %shifted = memref.view %bytes[%c2][] : memref<32xi8> to memref<4xf32>
  %somewhere = memref.view %bytes[%n][] : memref<32xi8> to memref<4xf32>
  linalg.fill ins(%v : f32) outs(%all : memref<8xf32>)
  %x = memref.load %all[%c4] : memref<8xf32>
  %y = memref.load %shifted[%c0] : memref<4xf32>
  %z = memref.load %somewhere[%c0] : memref<4xf32>
  return %x, %y, %z : f32, f32, f32
}

// CHECK-LABEL: func.func @halves_of_two_stores
// CHECK: %[[X:.*]] = memref.load
// CHECK: return %[[X]]
func.func @halves_of_two_stores(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bytes = memref.alloc() : memref<8xi8>
  %all = memref.view %bytes[%c0][] : memref<8xi8> to memref<2xf32>
  %shifted = memref.view %bytes[%c2][] : memref<8xi8> to memref<1xf32>
  memref.store %v, %all[%c0] : memref<2xf32>
  memref.store %v, %all[%c1] : memref<2xf32>
  %x = memref.load %shifted[%c0] : memref<1xf32>
  return %x : f32
}

// Two views begin a whole number of elements apart.
// CHECK-LABEL: func.func @whole_elements
// CHECK-NOT: memref.load
// CHECK: return %arg0
func.func @whole_elements(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = memref.alloc() : memref<32xi8>
  %all = memref.view %bytes[%c0][] : memref<32xi8> to memref<8xf32>
  %later = memref.view %bytes[%c4][] : memref<32xi8> to memref<4xf32>
  linalg.fill ins(%v : f32) outs(%all : memref<8xf32>)
  %x = memref.load %later[%c1] : memref<4xf32>
  return %x : f32
}
