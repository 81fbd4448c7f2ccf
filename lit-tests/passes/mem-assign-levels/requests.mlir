// A tensor that a request accesses stays in one place until the wait, and a budget is planned around it.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=576 noalias-arguments=true})' | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=575 noalias-arguments=true})' 2>&1 | FileCheck %s --check-prefix=LESS

// CHECK: mem.view %[[ARENA:.*]][{{[0-9]+}}] {{.*}}name = "buf0"
// CHECK: %[[S:.*]] = mpi.isend(
// CHECK: %[[R:.*]] = mpi.irecv(
// CHECK-NOT: {{mem.(store|move|swap|load)}}
// CHECK: mpi.wait(%[[S]])
// CHECK: mpi.wait(%[[R]])

// LESS: 1 byte is missing
func.func @requests(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.tanh ins(%x : memref<16xf32>) outs(%c : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.add ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
