// The link of a hierarchy is the cost of messages. A rank waits for what is left of a message after the
// computation since it started; messages take the link one after the other.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/blocking.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/machine.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCKING
// RUN: mem-opt %t/blocking.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-overlap-requests{noalias-arguments=true},mem-assign-levels{hierarchy=%t/machine.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERLAPPED
// RUN: mem-opt %t/blocking.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/free.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: mem-opt %t/requests.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/machine.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=REQUESTS
// RUN: mem-opt %t/reduction.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/machine.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=REDUCTION
// RUN: mem-opt %t/loop.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/machine.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP

// The kernels take 100 + 50 cycles.
// FREE: 150 makespan
// A message takes 10 + 64 / 1 cycles.
// BLOCKING: 224 makespan
// It is hidden by the second kernel, but for 24 cycles.
// OVERLAPPED: 174 makespan
// Two messages, 74 + 74 cycles on one link; 100 of them are hidden.
// REQUESTS: 148 makespan
// 2 * (10 + 64) cycles.
// REDUCTION: 148 makespan
// In each of four iterations, 74 cycles of which 50 are hidden.
// LOOP: 296 makespan

//--- machine.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, link = (latency = 10, bandwidth = 1.0)>} {}

//--- free.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">>} {}

//--- blocking.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  mem.kernel "first" uses(%x : memref<16xf32>) defines(%a : memref<16xf32>) {cycles = 100 : i64}
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  mem.kernel "second" uses(%a : memref<16xf32>) defines(%y : memref<16xf32>) {cycles = 50 : i64}
  return
}

//--- requests.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mem.kernel "work" uses(%x : memref<16xf32>) defines(%y : memref<16xf32>) {cycles = 100 : i64}
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  return
}

//--- reduction.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %a = memref.alloc() : memref<16xf32>
  mpi.allreduce(%x, %a, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  return
}

//--- loop.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    mem.kernel "work" uses(%x : memref<16xf32>) defines(%y : memref<16xf32>) {cycles = 50 : i64}
    mpi.wait(%r) : !mpi.request
  }
  return
}
