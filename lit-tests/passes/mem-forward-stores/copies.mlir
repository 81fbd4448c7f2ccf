// Readers of a copy read its source if the source is unchanged.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-forward-stores,mem-dead-store-elimination)' | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: memref.copy %arg0, %arg1
// CHECK-NEXT: return
func.func @chain(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

// One round follows a chain of any length.
// CHECK-LABEL: func.func @long_chain
// CHECK-NEXT: memref.copy %arg0, %arg1
// CHECK-NEXT: return
func.func @long_chain(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %f = memref.alloc() : memref<8xf32>
  %g = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  memref.copy %c, %d : memref<8xf32> to memref<8xf32>
  memref.copy %d, %e : memref<8xf32> to memref<8xf32>
  memref.copy %e, %f : memref<8xf32> to memref<8xf32>
  memref.copy %f, %g : memref<8xf32> to memref<8xf32>
  memref.copy %g, %out : memref<8xf32> to memref<8xf32>
  return
}

// The first source of a chain is written on the way, so that what follows reads the last copy before.
// CHECK-LABEL: func.func @first_source_changes
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK-NEXT: memref.store
// CHECK-NEXT: memref.copy %[[A]], %arg1
// CHECK-NEXT: return
func.func @first_source_changes(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}, %v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.store %v, %in[%i] : memref<8xf32>
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  memref.copy %c, %out : memref<8xf32> to memref<8xf32>
  return
}

// The first copy of the chain reads what the loop changes later: each iteration would read its own.
// CHECK-LABEL: func.func @first_source_changes_in_loop
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: scf.for
// CHECK-NEXT: mem.kernel "next" uses(%[[A]] {{.*}}) defines(%arg0
func.func @first_source_changes_in_loop(%in: memref<8xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  scf.for %i = %zero to %n step %one {
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    mem.kernel "next" uses(%b : memref<8xf32>) defines(%in : memref<8xf32>)
  }
  return
}

// The source is written before the copy is read.
// CHECK-LABEL: func.func @source_changes
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: memref.store
// CHECK: memref.copy %[[A]], %arg1
func.func @source_changes(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}, %v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  memref.store %v, %in[%i] : memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// The target is written before the copy is read, so it no longer equals the source.
// CHECK-LABEL: func.func @target_changes
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: memref.store
// CHECK: memref.copy %[[A]], %arg1
func.func @target_changes(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}, %v: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// Only one of two readers could read the source. The copy would stay, and both buffers would be live.
// CHECK-LABEL: func.func @only_one_reader
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: mem.kernel "before" uses(%[[A]]
func.func @only_one_reader(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  mem.kernel "before" uses(%a : memref<8xf32>) defines(%in : memref<8xf32>)
  mem.kernel "after" uses(%a : memref<8xf32>) defines(%out : memref<8xf32>)
  return
}

// An asynchronous transfer is in flight until its wait, and the source changes before then.
// CHECK-LABEL: func.func @read_in_the_background
// CHECK: memref.copy %arg0, %[[A:.*]] :
// CHECK: mem.store async %[[A]] to %arg1
func.func @read_in_the_background(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}, %v: f32) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  %t = mem.store async %a to %out : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%v : f32) outs(%in : memref<8xf32>)
  mem.wait %t
  return
}
