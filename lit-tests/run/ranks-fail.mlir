// A rank that fails says why, and ends the other one, which would wait for its message forever.
//
// RUN: not mem-run --ranks 2 --rank-limit 300 %s 2>&1 | FileCheck %s
// CHECK: error: the second rank gives up
// CHECK: error: a rank failed
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rank = mpi.comm_rank(%world) : i32
  %first = arith.cmpi eq, %rank, %tag : i32
  scf.if %first {
    mpi.recv(%y, %tag, %one, %world) : memref<16xf32>, i32, i32
  } else {
    cf.assert %first, "the second rank gives up"
    mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  }
  return
}
