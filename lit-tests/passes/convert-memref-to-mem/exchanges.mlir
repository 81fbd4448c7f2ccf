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

// A request is followed into another block.
// CHECK-LABEL: func.func @carried
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @carried(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.br ^next(%s : !mpi.request)
^next(%r: !mpi.request):
  mpi.wait(%r) : !mpi.request
  return
}

// The block that waits comes first in the text.
// CHECK-LABEL: func.func @backwards
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @backwards(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  cf.br ^start
^end:
  mpi.wait(%s) : !mpi.request
  return
^start:
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.br ^end
}

// The next iteration waits, or what follows the loop.
// CHECK-LABEL: func.func @around
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @around(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %first = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    %next = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}

// Nothing waits for the request of the last iteration.
// CHECK-LABEL: func.func @last_is_lost
func.func @last_is_lost(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %first = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    %next = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  return
}

// The loop carries one request on, and drops the other one, of which it starts many.
// CHECK-LABEL: func.func @dropped
func.func @dropped(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: mem.buffer
  %a = memref.alloc() : memref<16xf32>
  // CHECK: memref.alloc
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  %first = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    // expected-note @below {{by this 'mpi.isend'}}
    %next = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %s : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}

// Two selects with one condition choose alike: both requests are waited for.
// CHECK-LABEL: func.func @selected
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @selected(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %t = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %u = arith.select %p, %s, %t : !mpi.request
  %v = arith.select %p, %t, %s : !mpi.request
  mpi.wait(%u) : !mpi.request
  mpi.wait(%v) : !mpi.request
  return
}

// The loop carries the buffer beside its request: its address tells which slot is free.
// CHECK-LABEL: func.func @new_and_carried
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @new_and_carried(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %first = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last, %of_last = scf.for %i = %c0 to %n step %n iter_args(%s = %first, %of_s = %a) -> (!mpi.request, memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    %next = mpi.irecv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    mpi.wait(%s) : !mpi.request
    linalg.exp ins(%of_s : memref<16xf32>) outs(%y : memref<16xf32>)
    scf.yield %next, %b : !mpi.request, memref<16xf32>
  }
  mpi.wait(%last) : !mpi.request
  linalg.exp ins(%of_last : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Nothing holds the address of the buffer that is sent while the next one is allocated.
// CHECK-LABEL: func.func @new_and_not_carried
func.func @new_and_not_carried(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: mem.buffer
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %first = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    // CHECK: memref.alloc
    // expected-remark @below {{allocation is not planned: it is used by a request that is carried without it while it is allocated again}}
    %b = memref.alloc() : memref<16xf32>
    // expected-note @below {{by this 'linalg.exp'}}
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    %next = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    mpi.wait(%s) : !mpi.request
    scf.yield %next : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}

// The buffer of an iteration is free before the next one allocates it.
// CHECK-LABEL: func.func @new_after_the_wait
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @new_after_the_wait(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %first = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    %b = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    %next = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}
