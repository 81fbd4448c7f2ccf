// Loops, branches and blocks carry the handle of a request.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-mpi)' | FileCheck %s

// CHECK-LABEL: func.func @loop
func.func @loop(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: call @MPI_Isend
  // CHECK: %[[FIRST:.*]] = memref.load %[[SLOT:.*]][
  %first = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[FIRST]]) -> (i64)
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    // CHECK: memref.store %[[S]], %[[SLOT]][
    // CHECK: call @MPI_Wait
    mpi.wait(%s) : !mpi.request
    // CHECK: call @MPI_Isend
    // CHECK: %[[NEXT:.*]] = memref.load %[[SLOT]][
    %next = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    // CHECK: scf.yield %[[NEXT]] : i64
    scf.yield %next : !mpi.request
  }
  // CHECK: memref.store %[[LAST]], %[[SLOT]][
  // CHECK: call @MPI_Wait
  mpi.wait(%last) : !mpi.request
  return
}

// The block that waits comes first in the text.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  cf.br ^start
// CHECK: ^bb1(%[[R:.*]]: i64):
^end(%r: !mpi.request):
  // CHECK: memref.store %[[R]],
  // CHECK: call @MPI_Wait
  // CHECK: memref.store %[[T:.*]], %{{.*}}[
  // CHECK: call @MPI_Wait
  mpi.wait(%r) : !mpi.request
  mpi.wait(%t) : !mpi.request
  return
// CHECK: ^bb2:
^start:
  // CHECK: call @MPI_Isend
  // CHECK: %[[S:.*]] = memref.load
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // CHECK: call @MPI_Isend
  // CHECK: %[[T]] = memref.load
  %t = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // CHECK: cf.br ^bb1(%[[S]] : i64)
  cf.br ^end(%s : !mpi.request)
}

// CHECK-LABEL: func.func @selected
func.func @selected(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: call @MPI_Isend
  // CHECK: %[[S:.*]] = memref.load
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // CHECK: call @MPI_Isend
  // CHECK: %[[R:.*]] = memref.load
  %r = mpi.isend(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // CHECK: %[[FIRST:.*]] = arith.select %{{.*}}, %[[S]], %[[R]] : i64
  %first = arith.select %p, %s, %r : !mpi.request
  // CHECK: %[[SECOND:.*]] = arith.select %{{.*}}, %[[R]], %[[S]] : i64
  %second = arith.select %p, %r, %s : !mpi.request
  // CHECK: memref.store %[[FIRST]]
  // CHECK: call @MPI_Wait
  mpi.wait(%first) : !mpi.request
  // CHECK: memref.store %[[SECOND]]
  // CHECK: call @MPI_Wait
  mpi.wait(%second) : !mpi.request
  return
}
