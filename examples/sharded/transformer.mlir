// A transformer block: attention is split by heads and the perceptron by columns, and one sum after each
// is all that the ranks exchange.
shard.grid @ranks(shape = 2)

func.func @main(%x: tensor<32x64xf32>, %wq: tensor<64x4x16xf32>, %wk: tensor<64x4x16xf32>, %wv: tensor<64x4x16xf32>, %wo: tensor<4x16x64xf32>, %w1: tensor<64x256xf32>, %w2: tensor<256x64xf32>) -> tensor<32x64xf32> {
  %all = shard.sharding @ranks split_axes = [[]] : !shard.sharding
  %heads = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %scale = arith.constant 0.25 : f32
  %0 = shard.shard %x to %all annotate_for_users : tensor<32x64xf32>
  %1 = shard.shard %wq to %heads annotate_for_users : tensor<64x4x16xf32>
  %2 = shard.shard %wk to %heads annotate_for_users : tensor<64x4x16xf32>
  %3 = shard.shard %wv to %heads annotate_for_users : tensor<64x4x16xf32>
  %4 = shard.shard %wo to %rows annotate_for_users : tensor<4x16x64xf32>
  %5 = shard.shard %w1 to %heads annotate_for_users : tensor<64x256xf32>
  %6 = shard.shard %w2 to %rows annotate_for_users : tensor<256x64xf32>
  %7 = tensor.empty() : tensor<4x32x16xf32>
  %8 = linalg.fill ins(%zero : f32) outs(%7 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %9 = linalg.generic {indexing_maps = [affine_map<(h, s, e, d) -> (s, d)>, affine_map<(h, s, e, d) -> (d, h, e)>, affine_map<(h, s, e, d) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %1 : tensor<32x64xf32>, tensor<64x4x16xf32>) outs(%8 : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x32x16xf32>
  %10 = tensor.empty() : tensor<4x32x16xf32>
  %11 = linalg.fill ins(%zero : f32) outs(%10 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(h, s, e, d) -> (s, d)>, affine_map<(h, s, e, d) -> (d, h, e)>, affine_map<(h, s, e, d) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %2 : tensor<32x64xf32>, tensor<64x4x16xf32>) outs(%11 : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x32x16xf32>
  %13 = tensor.empty() : tensor<4x32x16xf32>
  %14 = linalg.fill ins(%zero : f32) outs(%13 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %15 = linalg.generic {indexing_maps = [affine_map<(h, s, e, d) -> (s, d)>, affine_map<(h, s, e, d) -> (d, h, e)>, affine_map<(h, s, e, d) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %3 : tensor<32x64xf32>, tensor<64x4x16xf32>) outs(%14 : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x32x16xf32>
  %16 = tensor.empty() : tensor<4x32x32xf32>
  %17 = linalg.fill ins(%zero : f32) outs(%16 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %18 = linalg.generic {indexing_maps = [affine_map<(h, s, u, e) -> (h, s, e)>, affine_map<(h, s, u, e) -> (h, u, e)>, affine_map<(h, s, u, e) -> (h, s, u)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%9, %12 : tensor<4x32x16xf32>, tensor<4x32x16xf32>) outs(%17 : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x32x32xf32>
  %19 = tensor.empty() : tensor<4x32xf32>
  %20 = linalg.fill ins(%low : f32) outs(%19 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(h, s, u) -> (h, s, u)>, affine_map<(h, s, u) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%18 : tensor<4x32x32xf32>) outs(%20 : tensor<4x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.maximumf %a, %o : f32
    linalg.yield %q : f32
  } -> tensor<4x32xf32>
  %22 = tensor.empty() : tensor<4x32x32xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(h, s, u) -> (h, s, u)>, affine_map<(h, s, u) -> (h, s)>, affine_map<(h, s, u) -> (h, s, u)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%18, %21 : tensor<4x32x32xf32>, tensor<4x32xf32>) outs(%22 : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = arith.mulf %d, %scale : f32
    %e = math.exp %r : f32
    linalg.yield %e : f32
  } -> tensor<4x32x32xf32>
  %24 = tensor.empty() : tensor<4x32xf32>
  %25 = linalg.fill ins(%zero : f32) outs(%24 : tensor<4x32xf32>) -> tensor<4x32xf32>
  %26 = linalg.generic {indexing_maps = [affine_map<(h, s, u) -> (h, s, u)>, affine_map<(h, s, u) -> (h, s)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%23 : tensor<4x32x32xf32>) outs(%25 : tensor<4x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %a, %o : f32
    linalg.yield %q : f32
  } -> tensor<4x32xf32>
  %27 = tensor.empty() : tensor<4x32x32xf32>
  %28 = linalg.generic {indexing_maps = [affine_map<(h, s, u) -> (h, s, u)>, affine_map<(h, s, u) -> (h, s)>, affine_map<(h, s, u) -> (h, s, u)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%23, %26 : tensor<4x32x32xf32>, tensor<4x32xf32>) outs(%27 : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4x32x32xf32>
  %29 = tensor.empty() : tensor<4x32x16xf32>
  %30 = linalg.fill ins(%zero : f32) outs(%29 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(h, s, e, u) -> (h, s, u)>, affine_map<(h, s, e, u) -> (h, u, e)>, affine_map<(h, s, e, u) -> (h, s, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%28, %15 : tensor<4x32x32xf32>, tensor<4x32x16xf32>) outs(%30 : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x32x16xf32>
  %32 = tensor.empty() : tensor<32x64xf32>
  %33 = linalg.fill ins(%zero : f32) outs(%32 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %34 = linalg.generic {indexing_maps = [affine_map<(s, d, h, e) -> (h, s, e)>, affine_map<(s, d, h, e) -> (h, e, d)>, affine_map<(s, d, h, e) -> (s, d)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%31, %4 : tensor<4x32x16xf32>, tensor<4x16x64xf32>) outs(%33 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x64xf32>
  %35 = shard.shard %34 to %all : tensor<32x64xf32>
  %36 = shard.shard %35 to %all annotate_for_users : tensor<32x64xf32>
  %37 = tensor.empty() : tensor<32x64xf32>
  %38 = linalg.generic {indexing_maps = [affine_map<(s, d) -> (s, d)>, affine_map<(s, d) -> (s, d)>, affine_map<(s, d) -> (s, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %36 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%37 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.addf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<32x64xf32>
  %39 = tensor.empty() : tensor<32x256xf32>
  %40 = linalg.fill ins(%zero : f32) outs(%39 : tensor<32x256xf32>) -> tensor<32x256xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(s, f, d) -> (s, d)>, affine_map<(s, f, d) -> (d, f)>, affine_map<(s, f, d) -> (s, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%38, %5 : tensor<32x64xf32>, tensor<64x256xf32>) outs(%40 : tensor<32x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x256xf32>
  %42 = tensor.empty() : tensor<32x256xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(s, d) -> (s, d)>, affine_map<(s, d) -> (s, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%41 : tensor<32x256xf32>) outs(%42 : tensor<32x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = math.tanh %a : f32
    linalg.yield %q : f32
  } -> tensor<32x256xf32>
  %44 = tensor.empty() : tensor<32x64xf32>
  %45 = linalg.fill ins(%zero : f32) outs(%44 : tensor<32x64xf32>) -> tensor<32x64xf32>
  %46 = linalg.generic {indexing_maps = [affine_map<(s, d, f) -> (s, f)>, affine_map<(s, d, f) -> (f, d)>, affine_map<(s, d, f) -> (s, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%43, %6 : tensor<32x256xf32>, tensor<256x64xf32>) outs(%45 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x64xf32>
  %47 = shard.shard %46 to %all : tensor<32x64xf32>
  %48 = shard.shard %47 to %all annotate_for_users : tensor<32x64xf32>
  %49 = tensor.empty() : tensor<32x64xf32>
  %50 = linalg.generic {indexing_maps = [affine_map<(s, d) -> (s, d)>, affine_map<(s, d) -> (s, d)>, affine_map<(s, d) -> (s, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%38, %48 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%49 : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.addf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<32x64xf32>
  %51 = shard.shard %50 to %all : tensor<32x64xf32>
  %52 = shard.shard %51 to %all annotate_for_users : tensor<32x64xf32>
  return %52 : tensor<32x64xf32>
}
