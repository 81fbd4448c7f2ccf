// Exchanges with another rank: requests in flight, beside computation, and reductions.
func.func @requests(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  %sent = memref.alloc() : memref<16xf32>
  %received = memref.alloc() : memref<16xf32>
  %meanwhile = memref.alloc() : memref<16xf32>
  %sum = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%sent : memref<16xf32>)
  %s = mpi.isend(%sent, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %status, %r = mpi.irecv(%received, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.retval, !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%meanwhile : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.add ins(%received, %meanwhile : memref<16xf32>, memref<16xf32>) outs(%sum : memref<16xf32>)
  linalg.mul ins(%sum, %meanwhile : memref<16xf32>, memref<16xf32>) outs(%sent : memref<16xf32>)
  linalg.add ins(%sent, %received : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

func.func @reductions(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  %part = memref.alloc() : memref<16xf32>
  %sum = memref.alloc() : memref<16xf32>
  %received = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%part : memref<16xf32>)
  mpi.allreduce(%part, %sum, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.mul ins(%x, %sum : memref<16xf32>, memref<16xf32>) outs(%part : memref<16xf32>)
  mpi.send(%part, %tag, %peer, %world) : memref<16xf32>, i32, i32
  mpi.recv(%received, %tag, %peer, %world) : memref<16xf32>, i32, i32
  linalg.add ins(%part, %received : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Blocks that wait on both paths, and write "work" while the message travels or after it.
func.func @paths(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %rank = mpi.comm_rank(%world) : i32
  %p = arith.cmpi eq, %rank, %tag : i32
  %sent = memref.alloc() : memref<16xf32>
  %work = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%sent : memref<16xf32>)
  %s = mpi.isend(%sent, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^yes, ^no
^yes:
  linalg.exp ins(%x : memref<16xf32>) outs(%work : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  linalg.mul ins(%x, %work : memref<16xf32>, memref<16xf32>) outs(%sent : memref<16xf32>)
  cf.br ^join
^no:
  linalg.tanh ins(%x : memref<16xf32>) outs(%work : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  linalg.mul ins(%work, %x : memref<16xf32>, memref<16xf32>) outs(%sent : memref<16xf32>)
  cf.br ^join
^join:
  linalg.add ins(%sent, %work : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// A ring: in every round, what is received is sent on.
func.func @ring(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  %own = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%own : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %next = memref.alloc() : memref<16xf32>
    %work = memref.alloc() : memref<16xf32>
    %r = mpi.irecv(%next, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    %s = mpi.isend(%own, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    linalg.exp ins(%own : memref<16xf32>) outs(%work : memref<16xf32>)
    mpi.wait(%s) : !mpi.request
    mpi.wait(%r) : !mpi.request
    linalg.mul ins(%work, %next : memref<16xf32>, memref<16xf32>) outs(%own : memref<16xf32>)
    linalg.add ins(%y, %own : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  }
  return
}
