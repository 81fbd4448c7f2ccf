// Exchanges with other ranks that a pass could break. Each function differs from its namesake in
// inputs/exchanges.mlir by one mistake. Every mistake is found.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/exchanges.mlir noalias-arguments=true})' -o %t 2>&1 | FileCheck %s

// Another rank receives the messages in this order.
// CHECK: error: mem-validate: in @two_sends, what
func.func @two_sends(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.send(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
// CHECK: error: mem-validate: in @what_is_sent, what
func.func @what_is_sent(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
// Two messages from one rank need not be equal.
// CHECK: error: mem-validate: in @two_receives, operand 1 differs
func.func @two_receives(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.recv(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  memref.copy %x, %y : memref<16xf32> to memref<16xf32>
  return
}
// Other ranks wait for this one, even if it does not need the sum.
// CHECK: error: mem-validate: in @unread, control flow differs
func.func @unread(%x: memref<16xf32>) {
  return
}
// CHECK: error: mem-validate: in @read_early,
func.func @read_early(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.allreduce(%a, %b, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  return
}
// Ranks read what others have yet to add up: the operands of a reduction must be apart.
// CHECK: error: mem-validate: in @shared_operands, operand 1 differs
func.func @shared_operands(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.allreduce(%a, %a, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
// Ranks that take the other path do not arrive.
// CHECK: error: mem-validate: in @into_a_branch,
func.func @into_a_branch(%p: i1) {
  %world = mpi.comm_world : !mpi.comm
  scf.if %p {
    mpi.barrier(%world)
  }
  return
}
// CHECK: error: mem-validate: in @sent, bytes are written while a transfer reads them
func.func @sent(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
// CHECK: error: mem-validate: in @received, bytes are read while a transfer writes them
func.func @received(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.wait(%r) : !mpi.request
  return
}
// CHECK: error: mem-validate: in @lost_wait, a transfer is in flight when the function returns
func.func @lost_wait(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  return
}
// CHECK: error: mem-validate: in @waits_for_another, bytes are read while a transfer writes them
func.func @waits_for_another(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %q = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  mpi.wait(%q) : !mpi.request
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
// If all ranks wait before they send, none does.
// CHECK: error: mem-validate: in @wait_and_send, what
func.func @wait_and_send(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %r = mpi.irecv(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  mpi.send(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
// The status of a start says nothing about the message.
// CHECK: error: mem-validate: in @used_status,
func.func @used_status(%x: memref<16xf32>) -> i1 {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %status, %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.retval, !mpi.request
  mpi.wait(%s) : !mpi.request
  %ok = mpi.retval_check %status = <MPI_SUCCESS> : i1
  return %ok : i1
}
// CHECK: error: mem-validate: in @after_the_end, a message is in flight at the last exchange
func.func @after_the_end(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.finalize
  mpi.wait(%s) : !mpi.request
  return
}
// CHECK: error: mem-validate: in @into_a_path, what is waited for before this operation differs
func.func @into_a_path(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
  } else {
    mpi.wait(%s) : !mpi.request
  }
  mpi.barrier(%world)
  return
}
// The callee may start what the other rank waits for.
// CHECK: error: mem-validate: in @before_a_call, what is waited for before this operation differs
func.func @before_a_call(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  call @exchange() : () -> ()
  return
}
func.func private @exchange()
// CHECK: error: mem-validate: in @another_message, what this operation is given differs
func.func @another_message(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = mpi.isend(%x, %one, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.wait(%s) : !mpi.request
  return
}
// A short message leaves what was there.
// CHECK: error: mem-validate: in @short_message, operand 1 differs
func.func @short_message(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  return
}
