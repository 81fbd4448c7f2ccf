// A reduction over an axis of a grid travels over the link of that axis, after it has become one of a communicator.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/program.mlir --pass-pipeline='builtin.module(mem-shard,mem-from-linalg-pipeline,mem-default-pipeline{hierarchy=%t/last.mlir report=%t/last.trace})' -o /dev/null
// RUN: FileCheck %s --check-prefix=FAST --input-file=%t/last.trace
// RUN: mem-opt %t/program.mlir --pass-pipeline='builtin.module(mem-shard,mem-from-linalg-pipeline,mem-default-pipeline{hierarchy=%t/first.mlir report=%t/first.trace})' -o /dev/null
// RUN: FileCheck %s --check-prefix=SLOW --input-file=%t/first.trace
// FAST-NOT: "link slow"
// FAST: "link fast"
// FAST-NOT: "link slow"
// SLOW-NOT: "link fast"
// SLOW: "link slow"
// SLOW-NOT: "link fast"

//--- last.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, ranks = [2, 4],
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", collective, axes = [1]>, #mem.route<"slow">]>} {}

//--- first.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, ranks = [2, 4],
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", collective, axes = [0]>, #mem.route<"slow">]>} {}

//--- program.mlir
shard.grid @ranks(shape = 2x4)
func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x256xf32>) -> tensor<32x256xf32> {
  %c0 = arith.constant 0.0 : f32
  %xs_ = shard.sharding @ranks split_axes = [[0], [1]] : !shard.sharding
  %xs = shard.shard %x to %xs_ annotate_for_users : tensor<32x64xf32>
  %ws_ = shard.sharding @ranks split_axes = [[1]] : !shard.sharding
  %ws = shard.shard %w to %ws_ annotate_for_users : tensor<64x256xf32>
  %e = tensor.empty() : tensor<32x256xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<32x256xf32>) -> tensor<32x256xf32>
  %y = linalg.matmul ins(%xs, %ws : tensor<32x64xf32>, tensor<64x256xf32>) outs(%z : tensor<32x256xf32>) -> tensor<32x256xf32>
  %os_ = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
  %ys = shard.shard %y to %os_ : tensor<32x256xf32>
  %yr = shard.shard %ys to %os_ annotate_for_users : tensor<32x256xf32>
  return %yr : tensor<32x256xf32>
}
