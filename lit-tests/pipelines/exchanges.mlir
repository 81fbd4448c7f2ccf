// The passes before planning leave exchanges with other ranks alone: none is removed, merged with an
// equal one, or moved, and no copy is forwarded into the bytes of a request.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true order=auto})' --verify-diagnostics | FileCheck %s

// What is received or reduced and never read.
// CHECK-LABEL: func.func @unread
// CHECK: mpi.recv
// CHECK: mpi.recv
// CHECK: mpi.allreduce
func.func @unread(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.allreduce(%x, %a, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  return
}

// Two equal messages are two messages, and what arrives may differ.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: mpi.send
// CHECK-COUNT-2: mpi.recv
// CHECK-COUNT-2: mpi.allreduce
// CHECK: linalg.add
func.func @twice(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.recv(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.allreduce(%x, %c, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  mpi.allreduce(%x, %d, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.add ins(%c, %d : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.add ins(%a, %c : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// The argument is overwritten while the copy of it is on its way.
// CHECK-LABEL: func.func @copy_on_its_way
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: memref.copy %[[X]], %[[COPY:.*]] :
// CHECK: mpi.isend(%[[COPY]],
// CHECK: linalg.fill {{.*}} outs(%[[X]]
// CHECK: mpi.wait
func.func @copy_on_its_way(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.fill ins(%zero : f32) outs(%x : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  return
}

// The large buffers are live one at a time if both are sent as soon as they are written. The order of
// the messages, and of the barrier, stays.
// CHECK-LABEL: func.func @order
// CHECK: mpi.init
// CHECK: mpi.comm_rank
// CHECK: mpi.recv
// CHECK: mpi.send
// CHECK: mpi.barrier
// CHECK: mpi.send
// CHECK: scf.if
// CHECK: mpi.finalize
func.func @order(%x: memref<1024xf32>, %y: memref<1024xf32>, %p: i1) {
  mpi.init
  %one = arith.constant 1.0 : f32
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  linalg.exp ins(%x : memref<1024xf32>) outs(%b : memref<1024xf32>)
  mpi.recv(%c, %tag, %rank, %world) : memref<1024xf32>, i32, i32
  mpi.send(%a, %tag, %rank, %world) : memref<1024xf32>, i32, i32
  mpi.barrier(%world)
  mpi.send(%b, %tag, %rank, %world) : memref<1024xf32>, i32, i32
  scf.if %p {
    mpi.barrier(%world)
  }
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  mpi.finalize
  return
}
