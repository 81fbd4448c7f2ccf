// The pipelines let messages travel beside computation if asked to, and validate the result.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true})' | FileCheck %s --check-prefix=OFF
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true overlap=keep})' --verify-diagnostics | FileCheck %s --check-prefix=KEEP
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true overlap=any})' --verify-diagnostics | FileCheck %s --check-prefix=ANY
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true overlap=any hierarchy=npu order=auto})' --verify-diagnostics | FileCheck %s --check-prefix=ANY
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline{noalias-arguments=true overlap=any})' | FileCheck %s --check-prefix=LLVM
// RUN: mem-opt %root/examples/sharded/perceptron.mlir --pass-pipeline='builtin.module(mem-shard-pipeline{grid=2 overlap=any})' | FileCheck %s --check-prefix=SHARDED
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{overlap=most})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: unknown value 'most' for option 'overlap'
// SHARDED: llvm.call @MPI_Allreduce

// OFF-LABEL: func.func @main
// OFF: mpi.send
// OFF-NEXT: linalg.tanh
// KEEP-LABEL: func.func @main
// KEEP: mem.arena {{.*}}, 128
// KEEP: mpi.isend
// KEEP-NEXT: linalg.tanh
// KEEP-NEXT: mpi.wait
// KEEP-NEXT: linalg.generic
// ANY-LABEL: func.func @main
// ANY: mem.arena {{.*}}, 192
// ANY: mpi.isend
// ANY: linalg.tanh
// ANY: linalg.generic
// ANY: mpi.wait
// LLVM: llvm.call @MPI_Isend
// LLVM: llvm.call @MPI_Wait
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.tanh ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (15 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b : memref<16xf32>) outs(%c : memref<16xf32>) {
  ^bb0(%u: f32, %o: f32):
    %v = math.exp %u : f32
    linalg.yield %v : f32
  }
  linalg.add ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
