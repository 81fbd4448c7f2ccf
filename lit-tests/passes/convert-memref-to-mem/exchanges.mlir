// The end of a request is known only where a later operation of its block waits for it. Otherwise, its
// buffer stays with the run-time allocator.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @never
func.func @never(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that no later operation of its block waits for}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  return
}

// CHECK-LABEL: func.func @on_one_path
func.func @on_one_path(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that no later operation of its block waits for}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
  }
  return
}

// The callee may keep the request.
func.func private @keep(%s: !mpi.request)
// CHECK-LABEL: func.func @handed_on
func.func @handed_on(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that no later operation of its block waits for}}
  %a = memref.alloc() : memref<16xf32>
  // expected-note @below {{by this 'mpi.irecv'}}
  %s = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  call @keep(%s) : (!mpi.request) -> ()
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// A request of its own waits for each buffer.
// CHECK-LABEL: func.func @awaited
func.func @awaited(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK-COUNT-2: mem.buffer
  // CHECK-NOT: memref.alloc
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %status = mpi.wait(%r) : !mpi.request -> !mpi.retval
  %ok = mpi.retval_check %status = <MPI_SUCCESS> : i1
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%b : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
