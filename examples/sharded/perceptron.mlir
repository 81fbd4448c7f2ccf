// Two layers: the first is split by columns and the second by rows, so that one sum at the end is all
// that the ranks exchange.
shard.grid @ranks(shape = 2)

func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x256xf32>, %b: tensor<256xf32>, %v: tensor<256x64xf32>) -> tensor<32x64xf32> {
  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @ranks split_axes = [[0], []] : !shard.sharding
  %part = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %all = shard.sharding @ranks split_axes = [[], []] : !shard.sharding
  %xs = shard.shard %x to %all annotate_for_users : tensor<32x64xf32>
  %ws = shard.shard %w to %columns annotate_for_users : tensor<64x256xf32>
  %bs = shard.shard %b to %part annotate_for_users : tensor<256xf32>
  %vs = shard.shard %v to %rows annotate_for_users : tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x256xf32>) -> tensor<32x256xf32>
  %p = linalg.matmul ins(%xs, %ws : tensor<32x64xf32>, tensor<64x256xf32>) outs(%f : tensor<32x256xf32>) -> tensor<32x256xf32>
  %e1 = tensor.empty() : tensor<32x256xf32>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bs : tensor<32x256xf32>, tensor<256xf32>) outs(%e1 : tensor<32x256xf32>) {
  ^bb0(%q: f32, %c: f32, %o: f32):
    %s = arith.addf %q, %c : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<32x256xf32>
  %e2 = tensor.empty() : tensor<32x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y = linalg.matmul ins(%h, %vs : tensor<32x256xf32>, tensor<256x64xf32>) outs(%f2 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %ys = shard.shard %y to %all : tensor<32x64xf32>
  %yr = shard.shard %ys to %all annotate_for_users : tensor<32x64xf32>
  return %yr : tensor<32x64xf32>
}
