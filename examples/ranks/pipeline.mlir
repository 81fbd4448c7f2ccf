// Two stages of a pipeline on two ranks: the first one sends what it computes from each part of a batch
// to the second one.
func.func @main(%w: memref<256x256xf32> {mem.noalias}, %x0: memref<256x256xf32> {mem.noalias}, %x1: memref<256x256xf32> {mem.noalias}, %x2: memref<256x256xf32> {mem.noalias}, %x3: memref<256x256xf32> {mem.noalias}) {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %first = arith.constant 0 : i32
  %second = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %is_first = arith.cmpi eq, %rank, %first : i32
  scf.if %is_first {
    %a0 = memref.alloc() : memref<256x256xf32>
    linalg.fill ins(%zero : f32) outs(%a0 : memref<256x256xf32>)
    linalg.matmul ins(%x0, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%a0 : memref<256x256xf32>)
    mpi.send(%a0, %first, %second, %world) : memref<256x256xf32>, i32, i32
    %a1 = memref.alloc() : memref<256x256xf32>
    linalg.fill ins(%zero : f32) outs(%a1 : memref<256x256xf32>)
    linalg.matmul ins(%x1, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%a1 : memref<256x256xf32>)
    mpi.send(%a1, %first, %second, %world) : memref<256x256xf32>, i32, i32
    %a2 = memref.alloc() : memref<256x256xf32>
    linalg.fill ins(%zero : f32) outs(%a2 : memref<256x256xf32>)
    linalg.matmul ins(%x2, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%a2 : memref<256x256xf32>)
    mpi.send(%a2, %first, %second, %world) : memref<256x256xf32>, i32, i32
    %a3 = memref.alloc() : memref<256x256xf32>
    linalg.fill ins(%zero : f32) outs(%a3 : memref<256x256xf32>)
    linalg.matmul ins(%x3, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%a3 : memref<256x256xf32>)
    mpi.send(%a3, %first, %second, %world) : memref<256x256xf32>, i32, i32
  } else {
    %b0 = memref.alloc() : memref<256x256xf32>
    mpi.recv(%b0, %first, %first, %world) : memref<256x256xf32>, i32, i32
    linalg.fill ins(%zero : f32) outs(%x0 : memref<256x256xf32>)
    linalg.matmul ins(%b0, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%x0 : memref<256x256xf32>)
    %b1 = memref.alloc() : memref<256x256xf32>
    mpi.recv(%b1, %first, %first, %world) : memref<256x256xf32>, i32, i32
    linalg.fill ins(%zero : f32) outs(%x1 : memref<256x256xf32>)
    linalg.matmul ins(%b1, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%x1 : memref<256x256xf32>)
    %b2 = memref.alloc() : memref<256x256xf32>
    mpi.recv(%b2, %first, %first, %world) : memref<256x256xf32>, i32, i32
    linalg.fill ins(%zero : f32) outs(%x2 : memref<256x256xf32>)
    linalg.matmul ins(%b2, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%x2 : memref<256x256xf32>)
    %b3 = memref.alloc() : memref<256x256xf32>
    mpi.recv(%b3, %first, %first, %world) : memref<256x256xf32>, i32, i32
    linalg.fill ins(%zero : f32) outs(%x3 : memref<256x256xf32>)
    linalg.matmul ins(%b3, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%x3 : memref<256x256xf32>)
  }
  return
}
