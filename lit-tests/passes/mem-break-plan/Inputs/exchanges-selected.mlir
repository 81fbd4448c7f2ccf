// Two requests that are waited for in another order on the first rank.
func.func @selected(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %rank = mpi.comm_rank(%world) : i32
  %p = arith.cmpi eq, %rank, %tag : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  %e = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %r : !mpi.request
  %second = arith.select %p, %r, %s : !mpi.request
  mpi.wait(%first) : !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  mpi.wait(%second) : !mpi.request
  linalg.add ins(%b, %d : memref<16xf32>, memref<16xf32>) outs(%e : memref<16xf32>)
  linalg.exp ins(%e : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
