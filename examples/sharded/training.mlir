// A training step of two layers, data parallel: each rank has a part of the batch, and the gradients are
// added up before all ranks update the same weights.
shard.grid @ranks(shape = 2)

func.func @main(%x: tensor<32x64xf32>, %target: tensor<32x64xf32>, %w: tensor<64x128xf32>, %v: tensor<128x64xf32>) -> (tensor<64x128xf32>, tensor<128x64xf32>, tensor<32x64xf32>) {
  %all = shard.sharding @ranks split_axes = [[]] : !shard.sharding
  %batch = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %rate = arith.constant 0.01 : f32
  %0 = shard.shard %x to %batch annotate_for_users : tensor<32x64xf32>
  %1 = shard.shard %target to %batch annotate_for_users : tensor<32x64xf32>
  %2 = shard.shard %w to %all annotate_for_users : tensor<64x128xf32>
  %3 = shard.shard %v to %all annotate_for_users : tensor<128x64xf32>
  %4 = tensor.empty() : tensor<32x128xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %2 : tensor<32x64xf32>, tensor<64x128xf32>) outs(%5 : tensor<32x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x128xf32>
  %7 = tensor.empty() : tensor<32x128xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%6 : tensor<32x128xf32>) outs(%7 : tensor<32x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = math.tanh %a : f32
    linalg.yield %q : f32
  } -> tensor<32x128xf32>
  %9 = tensor.empty() : tensor<32x64xf32>
  %10 = linalg.fill ins(%zero : f32) outs(%9 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%8, %3 : tensor<32x128xf32>, tensor<128x64xf32>) outs(%10 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x64xf32>
  %12 = tensor.empty() : tensor<32x64xf32>
  %13 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%11, %1 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%12 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.subf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<32x64xf32>
  %14 = shard.shard %13 to %batch : tensor<32x64xf32>
  %15 = shard.shard %14 to %batch annotate_for_users : tensor<32x64xf32>
  %16 = tensor.empty() : tensor<128x64xf32>
  %17 = linalg.fill ins(%zero : f32) outs(%16 : tensor<128x64xf32>) -> tensor<128x64xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%8, %15 : tensor<32x128xf32>, tensor<32x64xf32>) outs(%17 : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<128x64xf32>
  %19 = shard.shard %18 to %all : tensor<128x64xf32>
  %20 = shard.shard %19 to %all annotate_for_users : tensor<128x64xf32>
  %21 = tensor.empty() : tensor<32x128xf32>
  %22 = linalg.fill ins(%zero : f32) outs(%21 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%15, %3 : tensor<32x64xf32>, tensor<128x64xf32>) outs(%22 : tensor<32x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x128xf32>
  %24 = tensor.empty() : tensor<32x128xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%23, %8 : tensor<32x128xf32>, tensor<32x128xf32>) outs(%24 : tensor<32x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %b, %b : f32
    %t = arith.subf %one, %s : f32
    %q = arith.mulf %a, %t : f32
    linalg.yield %q : f32
  } -> tensor<32x128xf32>
  %26 = tensor.empty() : tensor<64x128xf32>
  %27 = linalg.fill ins(%zero : f32) outs(%26 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %25 : tensor<32x64xf32>, tensor<32x128xf32>) outs(%27 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<64x128xf32>
  %29 = shard.shard %28 to %all : tensor<64x128xf32>
  %30 = shard.shard %29 to %all annotate_for_users : tensor<64x128xf32>
  %31 = tensor.empty() : tensor<64x128xf32>
  %32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%2, %30 : tensor<64x128xf32>, tensor<64x128xf32>) outs(%31 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %b, %rate : f32
    %q = arith.subf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<64x128xf32>
  %33 = shard.shard %32 to %all : tensor<64x128xf32>
  %34 = shard.shard %33 to %all annotate_for_users : tensor<64x128xf32>
  %35 = tensor.empty() : tensor<128x64xf32>
  %36 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%3, %20 : tensor<128x64xf32>, tensor<128x64xf32>) outs(%35 : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %b, %rate : f32
    %q = arith.subf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<128x64xf32>
  %37 = shard.shard %36 to %all : tensor<128x64xf32>
  %38 = shard.shard %37 to %all annotate_for_users : tensor<128x64xf32>
  return %34, %38, %15 : tensor<64x128xf32>, tensor<128x64xf32>, tensor<32x64xf32>
}
