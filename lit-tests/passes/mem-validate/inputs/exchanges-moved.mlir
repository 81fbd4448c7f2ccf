// The original of exchanges.mlir.
func.func @what_is_sent(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
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
// Blocking, in the original.
func.func @blocking(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  %status = mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.retval
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.barrier(%world)
  linalg.tanh ins(%y : memref<16xf32>) outs(%y : memref<16xf32>)
  linalg.add ins(%a, %y : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
// The request is waited for on both paths, and then behind them.
func.func @behind_a_branch(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
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
// What was in the buffer of a message, if nothing reads it afterwards.
func.func @unread_before(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
