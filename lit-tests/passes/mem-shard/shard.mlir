// A sharded program becomes the program of one rank: arguments and results are parts, and a sum that is
// split between ranks is a reduction. The shape of the grid can be given.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-shard)' | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-shard{grid=4})' | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-shard,mem-default-pipeline)' | FileCheck %s --check-prefix=PLANNED
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-shard-pipeline)' | FileCheck %s --check-prefix=LLVM
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-shard-pipeline{grid=4})' | FileCheck %s --check-prefix=LLVM

// CHECK-NOT: shard.
// TWO: func.func @main(%{{.*}}: tensor<8x8xf32>, %{{.*}}: tensor<8x4xf32>) -> tensor<8x4xf32>
// FOUR: func.func @main(%{{.*}}: tensor<8x4xf32>, %{{.*}}: tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK: linalg.matmul
// CHECK: mpi.allreduce({{.*}}, MPI_SUM,
// CHECK-NOT: shard.

// The result, in which the sum is computed, is the caller's; nothing else needs memory.
// PLANNED: func.func @main(%{{.*}}: memref<8x8xf32> {{.*}}, %{{.*}}: memref<8x4xf32> {{.*}}, %[[Y:.*]]: memref<8x4xf32> {bufferize.result
// PLANNED-NOT: memref.alloc
// PLANNED: memref.collapse_shape %[[Y]]
// PLANNED: mpi.allreduce

// LLVM: llvm.func @MPI_Allreduce(i64, i64, i32, i64, i64, i64) -> i32
// LLVM-NOT: mpi.
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @ranks split_axes = [[0], []] : !shard.sharding
  %all = shard.sharding @ranks split_axes = [[], []] : !shard.sharding
  %xs = shard.shard %x to %columns annotate_for_users : tensor<8x16xf32>
  %ws = shard.shard %w to %rows annotate_for_users : tensor<16x4xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%xs, %ws : tensor<8x16xf32>, tensor<16x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %ys = shard.shard %y to %all : tensor<8x4xf32>
  %yr = shard.shard %ys to %all annotate_for_users : tensor<8x4xf32>
  return %yr : tensor<8x4xf32>
}
