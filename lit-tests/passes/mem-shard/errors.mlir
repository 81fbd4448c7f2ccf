// What cannot be partitioned is an error that names the operation.
//
// RUN: split-file %s %t
// RUN: not mem-opt %t/no-grid.mlir --pass-pipeline='builtin.module(mem-shard)' 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not mem-opt %t/gather.mlir --pass-pipeline='builtin.module(mem-shard)' 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not mem-opt %t/softmax.mlir --pass-pipeline='builtin.module(mem-shard)' 2>&1 | FileCheck %s --check-prefix=SOFTMAX
// RUN: not mem-opt %t/gather.mlir --pass-pipeline='builtin.module(mem-shard{grid=2x0})' 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not mem-opt %t/gather.mlir --pass-pipeline='builtin.module(mem-shard{grid=many})' 2>&1 | FileCheck %s --check-prefix=SHAPE

// GRID: error: mem-shard: the module has no 'shard.grid', which says how ranks are arranged
// GATHER: gather.mlir:9:9: error: mem-shard: 'shard.all_gather' has no counterpart in mpi
// SOFTMAX: softmax.mlir:6:8: error: 'linalg.softmax' op sharding interface is not implemented
// SHAPE: error: mem-shard: invalid grid '{{.*}}': expected sizes such as 2x4

//--- no-grid.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

//--- gather.mlir
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @ranks split_axes = [[0], []] : !shard.sharding
  %all = shard.sharding @ranks split_axes = [[], []] : !shard.sharding
  %xs = shard.shard %x to %rows annotate_for_users : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %y = linalg.exp ins(%xs : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %ys = shard.shard %y to %rows : tensor<8x16xf32>
  %yr = shard.shard %ys to %all annotate_for_users : tensor<8x16xf32>
  return %yr : tensor<8x16xf32>
}

//--- softmax.mlir
shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %rows = shard.sharding @ranks split_axes = [[0], []] : !shard.sharding
  %xs = shard.shard %x to %rows annotate_for_users : tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x16xf32>
  %y = linalg.softmax dimension(1) ins(%xs : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
