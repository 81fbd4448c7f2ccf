// The end of a request is known only where every path has a wait for it. Otherwise, its buffer stays with the
// run-time allocator.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @never
func.func @never(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
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
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
  }
  return
}

// Both paths wait. The buffer is free after the branch.
// CHECK-LABEL: func.func @on_both_paths
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @on_both_paths(%x: memref<16xf32>, %p: i1, %q: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
  } else {
    scf.if %q {
      mpi.wait(%s) : !mpi.request
    } else {
      mpi.wait(%s) : !mpi.request
    }
  }
  return
}

// One of three paths does not wait.
// CHECK-LABEL: func.func @on_two_of_three
func.func @on_two_of_three(%x: memref<16xf32>, %p: i1, %q: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
  } else {
    scf.if %q {
      mpi.wait(%s) : !mpi.request
    }
  }
  return
}

// A loop may have no iteration.
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.for %i = %c0 to %n step %n {
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
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
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

// One path returns without a wait.
// CHECK-LABEL: func.func @one_arm
func.func @one_arm(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^yes, ^no
^yes:
  mpi.wait(%s) : !mpi.request
  return
^no:
  return
}

// The second iteration starts another message before the first one is waited for.
// CHECK-LABEL: func.func @started_again
func.func @started_again(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  cf.br ^loop
^loop:
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^loop, ^exit
^exit:
  mpi.wait(%s) : !mpi.request
  return
}

// A path that never ends has no wait: the bytes are in use there as well.
// CHECK-LABEL: func.func @forever
func.func @forever(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^exit, ^loop
^loop:
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%x : memref<16xf32>)
  cf.br ^loop
^exit:
  mpi.wait(%s) : !mpi.request
  return
}

// A request that is carried into another block is not followed.
// CHECK-LABEL: func.func @carried
func.func @carried(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.br ^next(%s : !mpi.request)
^next(%r: !mpi.request):
  mpi.wait(%r) : !mpi.request
  return
}
