// The original of exchanges-different.mlir.
func.func @two_sends(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.send(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
func.func @what_is_sent(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
func.func @two_receives(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.recv(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.recv(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
func.func @unread(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  mpi.allreduce(%x, %a, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  return
}
func.func @read_early(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.allreduce(%a, %b, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
func.func @shared_operands(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.allreduce(%a, %b, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
func.func @into_a_branch(%p: i1) {
  %world = mpi.comm_world : !mpi.comm
  mpi.barrier(%world)
  scf.if %p {
  }
  return
}
func.func @sent(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
func.func @received(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
func.func @lost_wait(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  return
}
func.func @waits_for_another(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %q = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%q) : !mpi.request
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  mpi.wait(%r) : !mpi.request
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
func.func @wait_and_send(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %r = mpi.irecv(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.send(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.wait(%r) : !mpi.request
  return
}
func.func @used_status(%x: memref<16xf32>) -> i1 {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %status = mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.retval
  %ok = mpi.retval_check %status = <MPI_SUCCESS> : i1
  return %ok : i1
}
func.func @after_the_end(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.finalize
  return
}
func.func @into_a_path(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
  } else {
  }
  mpi.barrier(%world)
  mpi.wait(%s) : !mpi.request
  return
}
func.func @before_a_call(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  call @exchange() : () -> ()
  mpi.wait(%s) : !mpi.request
  return
}
func.func private @exchange()
func.func @another_message(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.send(%x, %one, %tag, %world) : memref<16xf32>, i32, i32
  return
}
func.func @short_message(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  return
}
