// A chain of products whose factors come from the previous rank, one for each round: while a rank multiplies
// with one, the next one is on its way to the other of two buffers, which change places in every round.
func.func @main(%x: memref<128x128xf32> {mem.noalias}, %w: memref<128x128xf32> {mem.noalias}, %y: memref<128x128xf32> {mem.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 100 : index
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %size = mpi.comm_size(%world) : i32
  %one = arith.constant 1 : i32
  %after = arith.addi %rank, %one : i32
  %next = arith.remui %after, %size : i32
  %before = arith.addi %rank, %size : i32
  %less = arith.subi %before, %one : i32
  %previous = arith.remui %less, %size : i32
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<128x128xf32>)
  %a = memref.alloc() : memref<128x128xf32>
  %b = memref.alloc() : memref<128x128xf32>
  %sum = memref.alloc() : memref<128x128xf32>
  %r0 = mpi.irecv(%a, %one, %previous, %world) : memref<128x128xf32>, i32, i32 -> !mpi.request
  %s0 = mpi.isend(%w, %one, %next, %world) : memref<128x128xf32>, i32, i32 -> !mpi.request
  %r, %s, %last, %other = scf.for %i = %c0 to %rounds step %c1
      iter_args(%r1 = %r0, %s1 = %s0, %full = %a, %free = %b)
      -> (!mpi.request, !mpi.request, memref<128x128xf32>, memref<128x128xf32>) {
    %r2 = mpi.irecv(%free, %one, %previous, %world) : memref<128x128xf32>, i32, i32 -> !mpi.request
    %s2 = mpi.isend(%x, %one, %next, %world) : memref<128x128xf32>, i32, i32 -> !mpi.request
    mpi.wait(%r1) : !mpi.request
    mpi.wait(%s1) : !mpi.request
    linalg.fill ins(%zero : f32) outs(%sum : memref<128x128xf32>)
    linalg.matmul ins(%x, %full : memref<128x128xf32>, memref<128x128xf32>) outs(%sum : memref<128x128xf32>)
    linalg.add ins(%y, %sum : memref<128x128xf32>, memref<128x128xf32>) outs(%y : memref<128x128xf32>)
    scf.yield %r2, %s2, %free, %full : !mpi.request, !mpi.request, memref<128x128xf32>, memref<128x128xf32>
  }
  mpi.wait(%r) : !mpi.request
  mpi.wait(%s) : !mpi.request
  linalg.matmul ins(%x, %last : memref<128x128xf32>, memref<128x128xf32>) outs(%y : memref<128x128xf32>)
  return
}
