// Exchanges with other ranks are the same wherever their operands are, and beside computation in any
// order.
//
// RUN: mem-opt %S/inputs/exchanges.mlir --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true})' -o %t 2>&1 | count 0
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/exchanges-moved.mlir noalias-arguments=true})' -o %t 2>&1 | count 0

func.func @what_is_sent(%x: memref<16xf32>) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  mpi.send(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
// Other bytes are used meanwhile.
func.func @sent(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  return
}
// Messages travel beside computation, another message and a barrier.
func.func @blocking(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.barrier(%world)
  linalg.tanh ins(%y : memref<16xf32>) outs(%y : memref<16xf32>)
  %late = mpi.wait(%r) : !mpi.request -> !mpi.retval
  linalg.add ins(%a, %y : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  return
}
func.func @behind_a_branch(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
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
func.func @unread_before(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
