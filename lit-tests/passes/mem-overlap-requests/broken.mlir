// The check rejects every kind of error in a planned order.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{break=late-wait})' 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{break=early-start})' 2>&1 | FileCheck %s --check-prefix=START
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{break=order})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{break=early-wait})' 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{break=value})' 2>&1 | FileCheck %s --check-prefix=VALUE

// RUN: mem-opt %S/peak.mlir --pass-pipeline='builtin.module(mem-overlap-requests{break=early-wait})' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: remark: mem-overlap-requests: there is nothing to break: early-wait

// LATE: error: internal error in mem-overlap-requests: an operation accesses the bytes of a message in flight
// START: error: internal error in mem-overlap-requests: an operation accesses the bytes of a message in flight
// ORDER: error: internal error in mem-overlap-requests: two operations that communicate have changed places
// EARLY: error: internal error in mem-overlap-requests: a message is waited for earlier than before
// VALUE: error: internal error in mem-overlap-requests: a value is used before it is defined
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %next = arith.addi %rank, %one : i32
  %r = mpi.irecv(%b, %one, %next, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.send(%a, %one, %next, %world) : memref<16xf32>, i32, i32
  mpi.wait(%r) : !mpi.request
  linalg.exp ins(%b : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  return
}
