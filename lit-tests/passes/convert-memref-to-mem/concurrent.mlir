// Allocations in concurrent regions are not converted, because one address cannot serve two instances
// at once. Buffers from outside may be used there, as part of the step of the outer operation.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --verify-diagnostics \
// RUN:   --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.buffer
  %shared = memref.alloc() : memref<4xf32>
  // CHECK: scf.parallel
  // expected-note @+1 {{by this 'scf.parallel'}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // CHECK: memref.alloc()
    // expected-remark @+1 {{it is inside an operation that may run its regions concurrently}}
    %local = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%local : memref<4xf32>)
    memref.copy %local, %shared : memref<4xf32> to memref<4xf32>
    // CHECK: memref.dealloc
    memref.dealloc %local : memref<4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @forall
func.func @forall(%n: index, %v: f32) {
  // expected-note @+1 {{by this 'scf.forall'}}
  scf.forall (%i) in (%n) {
    // CHECK: memref.alloca()
    // expected-remark @+1 {{it is inside an operation that may run its regions concurrently}}
    %local = memref.alloca() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%local : memref<4xf32>)
  }
  return
}

// -----

// CHECK-LABEL: func.func @affine_parallel
func.func @affine_parallel(%v: f32) {
  // expected-note @+1 {{by this 'affine.parallel'}}
  affine.parallel (%i) = (0) to (8) {
    // CHECK: memref.alloc()
    // expected-remark @+1 {{it is inside an operation that may run its regions concurrently}}
    %local = memref.alloc() : memref<4xf32>
    affine.store %v, %local[0] : memref<4xf32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @launch
func.func @launch(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{by this 'gpu.launch'}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // CHECK: memref.alloc()
    // expected-remark @+1 {{it is inside an operation that may run its regions concurrently}}
    %local = memref.alloc() : memref<4xf32>
    memref.store %v, %local[%c0] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: func.func @freed_inside
func.func @freed_inside(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: memref.alloc()
  // expected-remark @+1 {{it is freed inside an operation that may run its regions concurrently}}
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // expected-note @+1 {{by this 'memref.dealloc'}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

// A selection inside the region: the pass does not track which buffer is written there.
// CHECK-LABEL: func.func @chosen_inside
func.func @chosen_inside(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{another value that may hold its address is made from it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @+1 {{another value that may hold its address is made from it}}
  %b = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %even = arith.cmpi eq, %i, %c0 : index
    // expected-note @+1 {{by this 'arith.select'}}
    %s = arith.select %even, %a, %b : memref<4xf32>
    memref.store %v, %s[%c0] : memref<4xf32>
  }
  return
}

// -----

// Only one of two operations is waited for, and it is known at run time which one.
// CHECK-LABEL: func.func @selected
func.func @selected(%c: i1, %out: memref<4xf32>) {
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    // expected-note @+1 {{by this 'linalg.copy'}}
    linalg.copy ins(%a : memref<4xf32>) outs(%out : memref<4xf32>)
    async.yield
  }
  %other = async.execute {
    async.yield
  }
  %s = arith.select %c, %t, %other : !async.token
  async.await %s : !async.token
  return
}

// -----

// The token that a function returns need not be that of its argument.
func.func private @other(!async.token) -> !async.token
// CHECK-LABEL: func.func @returned
func.func @returned(%out: memref<4xf32>) {
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    // expected-note @+1 {{by this 'linalg.copy'}}
    linalg.copy ins(%a : memref<4xf32>) outs(%out : memref<4xf32>)
    async.yield
  }
  %s = func.call @other(%t) : (!async.token) -> !async.token
  async.await %s : !async.token
  return
}

// -----

// A loop that is given a token may yield another one.
// CHECK-LABEL: func.func @carried
func.func @carried(%out: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    // expected-note @+1 {{by this 'linalg.copy'}}
    linalg.copy ins(%a : memref<4xf32>) outs(%out : memref<4xf32>)
    async.yield
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> !async.token {
    %other = async.execute {
      async.yield
    }
    scf.yield %other : !async.token
  }
  async.await %last : !async.token
  return
}
