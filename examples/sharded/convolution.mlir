// A convolution of 3 x 3, a pointwise one, and the sum over all positions, split by batch: no rank
// needs anything from another one. Upstream partitions no operation on windows, so the first
// convolution reads its windows from an unfolded input, as implicit matrix products do.
shard.grid @ranks(shape = 2)

func.func @main(%x: tensor<8x16x16x27xf32>, %w1: tensor<27x16xf32>, %w2: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %batch = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %all = shard.sharding @ranks split_axes = [[]] : !shard.sharding
  %xs = shard.shard %x to %batch annotate_for_users : tensor<8x16x16x27xf32>
  %w1s = shard.shard %w1 to %all annotate_for_users : tensor<27x16xf32>
  %w2s = shard.shard %w2 to %all annotate_for_users : tensor<16x32xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8x16x16x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x16x16x16xf32>) -> tensor<8x16x16x16xf32>
  %c1 = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, k) -> (n, h, w, k)>, affine_map<(n, h, w, f, k) -> (k, f)>, affine_map<(n, h, w, f, k) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%xs, %w1s : tensor<8x16x16x27xf32>, tensor<27x16xf32>) outs(%f1 : tensor<8x16x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x16x16x16xf32>
  %e2 = tensor.empty() : tensor<8x16x16x16xf32>
  %a1 = linalg.tanh ins(%c1 : tensor<8x16x16x16xf32>) outs(%e2 : tensor<8x16x16x16xf32>) -> tensor<8x16x16x16xf32>
  %e3 = tensor.empty() : tensor<8x16x16x32xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x16x16x32xf32>) -> tensor<8x16x16x32xf32>
  %c2 = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, k) -> (n, h, w, k)>, affine_map<(n, h, w, f, k) -> (k, f)>, affine_map<(n, h, w, f, k) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a1, %w2s : tensor<8x16x16x16xf32>, tensor<16x32xf32>) outs(%f3 : tensor<8x16x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x16x16x32xf32>
  %e4 = tensor.empty() : tensor<8x32xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, h, w, f)>, affine_map<(n, f, h, w) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%c2 : tensor<8x16x16x32xf32>) outs(%f4 : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %o, %a : f32
    linalg.yield %q : f32
  } -> tensor<8x32xf32>
  %ys = shard.shard %y to %batch : tensor<8x32xf32>
  %yr = shard.shard %ys to %batch annotate_for_users : tensor<8x32xf32>
  return %yr : tensor<8x32xf32>
}
