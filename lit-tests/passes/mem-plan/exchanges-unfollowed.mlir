// Requests that are not followed: into calls, out of calls, and into and within operations that may run their
// regions at the same time. What is in flight then is not planned, with a remark, and nothing shares its bytes.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{overlap=any noalias-arguments=true})' --verify-diagnostics | FileCheck %s

func.func private @finish(%r: !mpi.request) attributes {no_inline} {
  mpi.wait(%r) : !mpi.request
  return
}

func.func private @start(%a: memref<16xf32>) -> !mpi.request attributes {no_inline} {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{this message stays as it is, because its request is carried to its wait}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this 'func.return'}}
  return %s : !mpi.request
}

// CHECK-LABEL: func.func @awaited_in_a_callee
// CHECK: mem.arena "arena", 64
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: mpi.isend(%[[A]],
// CHECK: return
func.func @awaited_in_a_callee(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  // expected-remark @below {{this message stays as it is, because its request is carried to its wait}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%y : memref<16xf32>)
  // expected-note @below {{by this 'func.call'}}
  call @finish(%s) : (!mpi.request) -> ()
  return
}

// CHECK-LABEL: func.func @started_in_a_callee
// CHECK: mem.arena "arena", 64
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: call @start(%[[A]])
// CHECK: return
func.func @started_in_a_callee(%x: memref<16xf32>, %y: memref<16xf32>) {
  // expected-remark @below {{allocation is not planned: it is passed to @start, which does not keep it to itself}}
  %a = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'func.call'}}
  %s = call @start(%a) : (memref<16xf32>) -> !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  return
}

// The message is over when the parallel loop is, and its buffer is in use until then: "buf1" takes its bytes
// afterwards, and what the loop allocates does not.
// CHECK-LABEL: func.func @within_a_parallel_loop
// CHECK: mem.arena "arena", 64
// CHECK: scf.parallel
// CHECK: memref.alloc
// CHECK: return
func.func @within_a_parallel_loop(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'scf.parallel'}}
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    // expected-remark @below {{allocation is not planned: it is inside an operation that may run its regions concurrently}}
    %l = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%l : memref<16xf32>)
    mpi.wait(%s) : !mpi.request
    memref.dealloc %l : memref<16xf32>
    scf.reduce
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// No wait in a parallel loop is known to run.
// CHECK-LABEL: func.func @awaited_in_a_parallel_loop
// CHECK: mem.arena "arena", 64
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: mpi.isend(%[[A]],
// CHECK: return
func.func @awaited_in_a_parallel_loop(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-warning @below {{mem-validate: @awaited_in_a_parallel_loop is not validated: an exchange may be waited for again}}
    mpi.wait(%s) : !mpi.request
    scf.reduce
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// What is not waited for inside of the loop is in flight after it.
// CHECK-LABEL: func.func @started_in_a_parallel_loop
// CHECK: mem.arena "arena", 64
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: mpi.isend(%[[A]],
// CHECK: return
func.func @started_in_a_parallel_loop(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{allocation is not planned}}
  %a = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // expected-note @below {{by this 'mpi.isend'}}
    // expected-warning @below {{mem-validate: @started_in_a_parallel_loop is not validated: an operation starts again before it has been waited for}}
    %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.reduce
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
