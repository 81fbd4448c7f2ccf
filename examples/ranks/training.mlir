// A training step of two layers on two ranks, each with its half of the batch. The gradients of the
// second layer are exchanged before those of the first layer are computed.
func.func @main(%x: memref<128x256xf32> {mem.noalias}, %t: memref<128x256xf32> {mem.noalias},
                %w1: memref<256x256xf32> {mem.noalias}, %w2: memref<256x256xf32> {mem.noalias}) {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %first = arith.constant 1 : i32
  %second = arith.constant 2 : i32
  %peer = arith.subi %first, %rank : i32
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant 0.001 : f32
  %h = memref.alloc() : memref<128x256xf32>
  %y = memref.alloc() : memref<128x256xf32>
  %e = memref.alloc() : memref<128x256xf32>
  %g1 = memref.alloc() : memref<256x256xf32>
  %g2 = memref.alloc() : memref<256x256xf32>
  %theirs1 = memref.alloc() : memref<256x256xf32>
  %theirs2 = memref.alloc() : memref<256x256xf32>
  // Forward.
  linalg.fill ins(%zero : f32) outs(%h : memref<128x256xf32>)
  linalg.matmul ins(%x, %w1 : memref<128x256xf32>, memref<256x256xf32>) outs(%h : memref<128x256xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<128x256xf32>)
  linalg.matmul ins(%h, %w2 : memref<128x256xf32>, memref<256x256xf32>) outs(%y : memref<128x256xf32>)
  linalg.sub ins(%y, %t : memref<128x256xf32>, memref<128x256xf32>) outs(%y : memref<128x256xf32>)
  // The second layer.
  linalg.fill ins(%zero : f32) outs(%g2 : memref<256x256xf32>)
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%h, %y : memref<128x256xf32>, memref<128x256xf32>) outs(%g2 : memref<256x256xf32>)
  %s2 = mpi.isend(%g2, %second, %peer, %world) : memref<256x256xf32>, i32, i32 -> !mpi.request
  mpi.recv(%theirs2, %second, %peer, %world) : memref<256x256xf32>, i32, i32
  mpi.wait(%s2) : !mpi.request
  // The first layer.
  linalg.fill ins(%zero : f32) outs(%e : memref<128x256xf32>)
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%y, %w2 : memref<128x256xf32>, memref<256x256xf32>) outs(%e : memref<128x256xf32>)
  linalg.fill ins(%zero : f32) outs(%g1 : memref<256x256xf32>)
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%x, %e : memref<128x256xf32>, memref<128x256xf32>) outs(%g1 : memref<256x256xf32>)
  %s1 = mpi.isend(%g1, %first, %peer, %world) : memref<256x256xf32>, i32, i32 -> !mpi.request
  mpi.recv(%theirs1, %first, %peer, %world) : memref<256x256xf32>, i32, i32
  mpi.wait(%s1) : !mpi.request
  // Both weights.
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%g2, %theirs2 : memref<256x256xf32>, memref<256x256xf32>) outs(%w2 : memref<256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %w: f32):
    %sum = arith.addf %a, %b : f32
    %d = arith.mulf %sum, %rate : f32
    %new = arith.subf %w, %d : f32
    linalg.yield %new : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%g1, %theirs1 : memref<256x256xf32>, memref<256x256xf32>) outs(%w1 : memref<256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %w: f32):
    %sum = arith.addf %a, %b : f32
    %d = arith.mulf %sum, %rate : f32
    %new = arith.subf %w, %d : f32
    linalg.yield %new : f32
  }
  return
}
