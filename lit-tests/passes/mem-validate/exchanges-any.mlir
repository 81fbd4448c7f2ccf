// Which message a receive from any rank gets depends on when the others are sent, so nothing may be waited for
// later either.
//
// RUN: mem-opt %S/inputs/exchanges-any.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/exchanges-any.mlir noalias-arguments=true})' -o %t 2>&1 | count 0
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/exchanges-any.mlir noalias-arguments=true})' -o %t 2>&1 | FileCheck %s

// CHECK: error: mem-validate: in @from_any,
func.func @from_any(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %any = arith.constant -1 : i32
  %r = mpi.irecv(%y, %tag, %any, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.wait(%r) : !mpi.request
  return
}
