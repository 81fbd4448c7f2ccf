// A message whose request is carried to its wait stays as it is, and keeps its order with all others. The other
// messages of its function and of the module move.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{peak=any noalias-arguments=true})' --verify-diagnostics | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{overlap=any noalias-arguments=true})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=VALID
// VALID-NOT: {{(warning|error): mem}}

// CHECK-LABEL: func.func @other_function
// CHECK: mpi.isend
// CHECK: linalg.exp
// CHECK: mpi.wait
func.func @other_function(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// The message that is sent before the loop travels during the loop's wait. The start and the waits of the
// carried request stay in order with it.
// CHECK-LABEL: func.func @ring
// CHECK: %[[S:.*]] = mpi.isend(%{{.*}}) : memref<16xf32>
// CHECK: %[[FIRST:.*]] = mpi.isend
// CHECK: scf.for {{.*}} iter_args(%[[R:.*]] = %[[FIRST]])
// CHECK:   mpi.wait(%[[R]])
// CHECK-NEXT: mpi.irecv
// CHECK:   linalg.tanh
// CHECK:   %[[NEXT:.*]] = mpi.isend
// CHECK:   scf.yield %[[NEXT]]
func.func @ring(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  mpi.send(%z, %tag, %tag, %world) : memref<16xf32>, i32, i32
  // expected-remark @below {{mem-overlap-requests: this message stays as it is, because its request is carried to its wait}}
  %first = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this 'scf.for'}}
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
    linalg.tanh ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
    // expected-remark @below {{mem-overlap-requests: this message stays as it is, because its request is carried to its wait}}
    %next = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    // expected-note @below {{by this 'scf.yield'}}
    scf.yield %next : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}
