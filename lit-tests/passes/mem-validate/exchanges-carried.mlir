// Where requests are carried through loops, their waits keep their order with all messages.
//
// RUN: mem-opt %S/inputs/exchanges-carried.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/exchanges-carried.mlir noalias-arguments=true})' -o %t 2>&1 | count 0
// RUN: mem-opt %S/inputs/exchanges-carried.mlir --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true overlap=any})' -o %t 2>&1 | FileCheck %s --check-prefix=STAY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/exchanges-carried.mlir noalias-arguments=true})' -o %t 2>&1 | FileCheck %s

// STAY: remark: mem-overlap-requests: this message stays as it is, because its request is carried to its wait
// STAY-NOT: warning
// CHECK: error: mem-validate: in @ring,
func.func @ring(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %first = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
    %next = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  mpi.barrier(%world)
  mpi.wait(%last) : !mpi.request
  return
}
