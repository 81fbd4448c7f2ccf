// Messages start as early and are waited for as late as their bytes and their operands allow.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{peak=any})' | FileCheck %s

// What is sent may be read while it travels, but not written.
// CHECK-LABEL: func.func @send
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
func.func @send(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  // CHECK: linalg.exp ins(%[[X]] {{.*}} outs(%[[A:.*]] :
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // CHECK-NEXT: %[[S:.*]] = mpi.isend(%[[A]],
  linalg.fill ins(%one : f32) outs(%b : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  // CHECK: linalg.fill
  // CHECK: linalg.tanh ins(%[[A]]
  linalg.tanh ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  // CHECK: mpi.wait(%[[S]]) : !mpi.request
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
  linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// What is received may not even be read.
// CHECK-LABEL: func.func @receive
func.func @receive(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: linalg.exp ins(%[[A]]
  // CHECK-NEXT: %[[R:.*]] = mpi.irecv(%[[A]],
  // CHECK: linalg.exp
  // CHECK: linalg.tanh
  // CHECK: mpi.wait(%[[R]])
  // CHECK-NEXT: linalg.add ins(%[[A]],
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.tanh ins(%b : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// The operations that compute the rank at the other end, and the view that is sent, move along.
// CHECK-LABEL: func.func @operands
func.func @operands(%x: memref<16xf32>, %y: memref<16xf32> {mem.noalias}) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %rank = mpi.comm_rank(%world) : i32
  // CHECK: mpi.comm_rank
  // CHECK: arith.addi
  // CHECK: memref.subview
  // CHECK: mpi.isend
  // CHECK: linalg.exp
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  %one = arith.constant 1 : i32
  %next = arith.addi %rank, %one : i32
  %half = memref.subview %x[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  // CHECK: mpi.wait
  mpi.send(%half, %tag, %next, %world) : memref<8xf32, strided<[1]>>, i32, i32
  return
}

// A request that is there already: its start and its wait move, too.
// CHECK-LABEL: func.func @request
// CHECK: mpi.irecv
// CHECK: linalg.exp
// CHECK: linalg.tanh
// CHECK: mpi.wait
// CHECK: memref.copy
func.func @request(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32> {mem.noalias}) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  linalg.tanh ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.copy %a, %z : memref<16xf32> to memref<16xf32>
  return
}

// Two messages travel at the same time. The second one need not be a request for that.
// CHECK-LABEL: func.func @two
// CHECK: %[[S:.*]] = mpi.isend
// CHECK: mpi.recv
// CHECK: mpi.wait(%[[S]])
func.func @two(%x: memref<16xf32>, %y: memref<16xf32> {mem.noalias}) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  mpi.send(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mpi.recv(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}

// An operation with regions is passed as a whole, and a block inside is a block of its own.
// CHECK-LABEL: func.func @regions
// CHECK: %[[S:.*]] = mpi.isend
// CHECK: scf.for
// CHECK:   linalg.exp
// CHECK:   %[[R:.*]] = mpi.isend
// CHECK:   linalg.tanh
// CHECK:   mpi.wait(%[[R]])
// CHECK: }
// CHECK: mpi.wait(%[[S]])
func.func @regions(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    mpi.send(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32
    linalg.tanh ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
  }
  return
}
