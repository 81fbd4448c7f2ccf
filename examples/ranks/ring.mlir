// Products of each rank's rows with the columns of all ranks: the columns travel around a ring while
// each rank multiplies those that it has.
func.func @main(%x: memref<256x256xf32> {mem.noalias}, %w: memref<256x256xf32> {mem.noalias}, %y: memref<256x256xf32> {mem.noalias}) {
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
  linalg.fill ins(%zero : f32) outs(%y : memref<256x256xf32>)
  %b0 = memref.alloc() : memref<256x256xf32>
  %s0 = mpi.isend(%w, %one, %next, %world) : memref<256x256xf32>, i32, i32 -> !mpi.request
  mpi.recv(%b0, %one, %previous, %world) : memref<256x256xf32>, i32, i32
  mpi.wait(%s0) : !mpi.request
  linalg.matmul ins(%x, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  %b1 = memref.alloc() : memref<256x256xf32>
  %s1 = mpi.isend(%b0, %one, %next, %world) : memref<256x256xf32>, i32, i32 -> !mpi.request
  mpi.recv(%b1, %one, %previous, %world) : memref<256x256xf32>, i32, i32
  mpi.wait(%s1) : !mpi.request
  linalg.matmul ins(%x, %b0 : memref<256x256xf32>, memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  %b2 = memref.alloc() : memref<256x256xf32>
  %s2 = mpi.isend(%b1, %one, %next, %world) : memref<256x256xf32>, i32, i32 -> !mpi.request
  mpi.recv(%b2, %one, %previous, %world) : memref<256x256xf32>, i32, i32
  mpi.wait(%s2) : !mpi.request
  linalg.matmul ins(%x, %b1 : memref<256x256xf32>, memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  linalg.matmul ins(%x, %b2 : memref<256x256xf32>, memref<256x256xf32>) outs(%y : memref<256x256xf32>)
  return
}
