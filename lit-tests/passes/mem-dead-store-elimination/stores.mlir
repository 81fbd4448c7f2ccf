// Writes that are removed, and writes that are kept.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-store-elimination)' | FileCheck %s

// CHECK-LABEL: func.func @overwritten
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @overwritten(%a: memref<8xf32> {mem.noalias}, %b: memref<8xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  memref.copy %b, %a : memref<8xf32> to memref<8xf32>
  return
}

// If the arguments alias, the load reads what the fill wrote.
// CHECK-LABEL: func.func @read_through_another_name
// CHECK: linalg.fill
// CHECK: memref.load
func.func @read_through_another_name(%a: memref<8xf32>, %b: memref<8xf32>, %v: f32, %i: index) -> f32 {
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %x = memref.load %b[%i] : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @never_read
// CHECK-NEXT: return
func.func @never_read(%b: memref<8xf32>, %v: f32) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %b, %a : memref<8xf32> to memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %a, %c : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %c : memref<8xf32>
  return
}

// Both branches overwrite the first store, which is therefore dead.
// CHECK-LABEL: func.func @both_arms
// CHECK-NOT: memref.store %{{.*}}, %arg0[%c0]
// CHECK: scf.if
// CHECK: memref.store %arg2
// CHECK: else
// CHECK: memref.store %arg3
func.func @both_arms(%a: memref<8xf32>, %p: i1, %v: f32, %w: f32, %u: f32) {
  %c0 = arith.constant 0 : index
  memref.store %u, %a[%c0] : memref<8xf32>
  scf.if %p {
    memref.store %v, %a[%c0] : memref<8xf32>
  } else {
    memref.store %w, %a[%c0] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @one_arm
// CHECK: memref.store
// CHECK: scf.if
func.func @one_arm(%a: memref<8xf32>, %p: i1, %v: f32, %w: f32) {
  %c0 = arith.constant 0 : index
  memref.store %w, %a[%c0] : memref<8xf32>
  scf.if %p {
    memref.store %v, %a[%c0] : memref<8xf32>
  }
  return
}

// a[i] = v; a[j] = w; a[i] = w: no read can observe the first store.
// CHECK-LABEL: func.func @unknown_index_in_between
// CHECK-NEXT: memref.store %arg4, %arg0[%arg2]
// CHECK-NEXT: memref.store %arg4, %arg0[%arg1]
// CHECK-NEXT: return
func.func @unknown_index_in_between(%a: memref<8xf32>, %i: index, %j: index, %v: f32, %w: f32) {
  memref.store %v, %a[%i] : memref<8xf32>
  memref.store %w, %a[%j] : memref<8xf32>
  memref.store %w, %a[%i] : memref<8xf32>
  return
}

// Each iteration stores to a different element, so no store overwrites another.
// CHECK-LABEL: func.func @index_of_a_loop
// CHECK: scf.for
// CHECK-NEXT: memref.store
func.func @index_of_a_loop(%a: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %v, %a[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @what_is_there_already
// CHECK-NEXT: memref.load
// CHECK-NEXT: return
func.func @what_is_there_already(%a: memref<8xf32>, %i: index) -> f32 {
  %x = memref.load %a[%i] : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @changed_in_between
// CHECK: memref.store
// CHECK: memref.store
func.func @changed_in_between(%a: memref<8xf32>, %i: index, %j: index, %v: f32) -> f32 {
  %x = memref.load %a[%i] : memref<8xf32>
  memref.store %v, %a[%j] : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  return %x : f32
}

// The last two rows are overwritten, and the first row is never read.
// CHECK-LABEL: func.func @shrinks
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NEXT: %[[MIDDLE:.*]] = memref.subview %[[A]][1, 0] [1, 4] [1, 1]
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[MIDDLE]]
func.func @shrinks(%v: f32, %b: memref<2x4xf32>, %c: memref<3x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4x4xf32>)
  %low = memref.subview %a[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  memref.copy %b, %low : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  %rest = memref.subview %a[1, 0] [3, 4] [1, 1] : memref<4x4xf32> to memref<3x4xf32, strided<[4, 1], offset: 4>>
  memref.copy %rest, %c : memref<3x4xf32, strided<[4, 1], offset: 4>> to memref<3x4xf32>
  return
}

// A buffer that is returned or passed to an unknown callee escapes, so stores to it are not dead.
// CHECK-LABEL: func.func @seen_outside
// CHECK: memref.store
// CHECK: call @unknown
// CHECK: memref.store
// CHECK: return
func.func private @unknown(memref<1xf32>)
func.func @seen_outside(%v: f32) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  call @unknown(%a) : (memref<1xf32>) -> ()
  memref.store %v, %a[%c0] : memref<1xf32>
  return %a : memref<1xf32>
}

// The store overwrites the fill's first element with an equal value: one of the two writes has to stay.
// CHECK-LABEL: func.func @one_of_two_equal_writes
// CHECK: linalg.fill
// CHECK: memref.store
// CHECK: memref.load
func.func @one_of_two_equal_writes(%v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  memref.store %v, %a[%c0] : memref<4xf32>
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @two_equal_stores
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: return
func.func @two_equal_stores(%a: memref<4xf32>, %v: f32, %i: index) {
  memref.store %v, %a[%i] : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  return
}

// The callee overwrites the buffer on every path, and reads only what it has written itself.
func.func private @overwrites(%a: memref<1xf32>, %x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  scf.if %p {
    memref.store %x, %a[%c0] : memref<1xf32>
    mem.kernel "look" uses(%a : memref<1xf32>)
  } else {
    linalg.fill ins(%x : f32) outs(%a : memref<1xf32>)
  }
  return
}

// CHECK-LABEL: func.func @before_a_call_that_overwrites(
// CHECK-NOT: memref.store
// CHECK: call @overwrites
func.func @before_a_call_that_overwrites(%a: memref<1xf32>, %x: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<1xf32>
  call @overwrites(%a, %x, %p) : (memref<1xf32>, f32, i1) -> ()
  return
}

// The callee overwrites nothing if its loop executes no iteration.
func.func private @overwrites_perhaps(%a: memref<1xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%c0] : memref<1xf32>
  }
  return
}

// CHECK-LABEL: func.func @before_a_call_that_overwrites_perhaps(
// CHECK: memref.store
// CHECK: call @overwrites_perhaps
func.func @before_a_call_that_overwrites_perhaps(%a: memref<1xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<1xf32>
  call @overwrites_perhaps(%a, %x, %n) : (memref<1xf32>, f32, index) -> ()
  return
}
