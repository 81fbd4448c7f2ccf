// What no message moves past, and what stays as it is.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{peak=any})' --verify-diagnostics --split-input-file | FileCheck %s

func.func private @unknown(%x: memref<16xf32>)

// CHECK-LABEL: func.func @between_calls
// CHECK: call @unknown
// CHECK-NEXT: mpi.send
// CHECK-NEXT: call @unknown
func.func @between_calls(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  call @unknown(%x) : (memref<16xf32>) -> ()
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  call @unknown(%x) : (memref<16xf32>) -> ()
  return
}

// -----

// The library must be initialized, and all requests must be over in the end.
// CHECK-LABEL: func.func @ends
// CHECK: linalg.tanh
// CHECK: mpi.init
// CHECK-NEXT: mpi.send
// CHECK-NEXT: mpi.finalize
func.func @ends(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.tanh ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.init
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.finalize
  linalg.tanh ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  return
}

// -----

// All starts, and everything else that communicates, keep their order.
// CHECK-LABEL: func.func @order
// CHECK: mpi.barrier
// CHECK: mpi.isend
// CHECK: mpi.allreduce
// CHECK: mpi.irecv
// CHECK: linalg.exp
// CHECK: mpi.wait
// CHECK: scf.if
// CHECK:   mpi.barrier
// CHECK: mpi.wait
func.func @order(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  mpi.barrier(%world)
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.allreduce(%x, %a, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  mpi.recv(%c, %tag, %tag, %world) : memref<16xf32>, i32, i32
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  scf.if %p {
    mpi.barrier(%world)
  }
  return
}

// -----

// The status of a blocking operation is that of the whole message.
// CHECK-LABEL: func.func @status
// CHECK: linalg.exp
// CHECK-NEXT: mpi.send
// CHECK: linalg.tanh
// CHECK: mpi.wait
// CHECK: linalg.tanh
func.func @status(%x: memref<16xf32>, %y: memref<16xf32>) -> (i1, i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %status = mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.retval
  %ok = mpi.retval_check %status = <MPI_SUCCESS> : i1
  linalg.tanh ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %late = mpi.wait(%s) : !mpi.request -> !mpi.retval
  %good = mpi.retval_check %late = <MPI_SUCCESS> : i1
  linalg.tanh ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  return %ok, %good : i1, i1
}

// -----

// Arguments may share bytes.
// CHECK-LABEL: func.func @aliases
// CHECK: linalg.exp
// CHECK-NEXT: mpi.send
// CHECK-NEXT: linalg.exp
func.func @aliases(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  linalg.exp ins(%y : memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.exp ins(%y : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// Storage is freed when the message is over.
// CHECK-LABEL: func.func @freed
// CHECK: mpi.isend
// CHECK: linalg.exp
// CHECK: mpi.wait
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.dealloc
func.func @freed(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  scf.if %p {
    memref.dealloc %a : memref<16xf32>
  } else {
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// -----

// Which message a receive from any rank gets depends on when the others are sent.
// CHECK-LABEL: func.func @from_any
// CHECK: linalg.exp
// CHECK-NEXT: mpi.send
// CHECK-NEXT: mpi.recv
func.func @from_any(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %any = arith.constant -1 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-remark @below {{messages stay as they are, because a receive takes those of any rank}}
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  // expected-note @below {{by this receive}}
  mpi.recv(%y, %tag, %any, %world) : memref<16xf32>, i32, i32
  return
}

// -----

// The request is handed on, so nothing is known about when it is over.
func.func private @keep(%s: !mpi.request)
// CHECK-LABEL: func.func @handed_on
// CHECK: mpi.isend
// CHECK-NEXT: call @keep
func.func @handed_on(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{this message stays as it is, because its request is carried to its wait}}
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this 'func.call'}}
  call @keep(%s) : (!mpi.request) -> ()
  return
}
