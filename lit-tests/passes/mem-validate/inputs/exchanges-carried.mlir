// A request is carried to the next iteration. Compared with itself in exchanges-carried.mlir.
func.func @ring(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %first = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %first) -> (!mpi.request) {
    mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
    mpi.wait(%s) : !mpi.request
    %next = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  mpi.barrier(%world)
  mpi.wait(%last) : !mpi.request
  return
}
