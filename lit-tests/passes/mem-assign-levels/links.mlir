// A hierarchy may have several links between ranks. Routes say which messages travel over each: by kind, by node, by
// distance, by peer and by axis of the grid of ranks. Messages on different links travel at the same time.
//
// The machine has a fast link of 1 byte per cycle and a slow one of 1/10: 64 and 640 cycles a message.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/neighbours.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/node4.mlir dump=%t/node4.txt})' -o /dev/null && FileCheck %s --check-prefix=NODE4 --input-file=%t/node4.txt
// RUN: mem-opt %t/neighbours.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/node8.mlir dump=%t/node8.txt})' -o /dev/null && FileCheck %s --check-prefix=NODE8 --input-file=%t/node8.txt
// RUN: mem-opt %t/neighbours.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/distance.mlir dump=%t/distance.txt})' -o /dev/null && FileCheck %s --check-prefix=DISTANCE --input-file=%t/distance.txt
// RUN: mem-opt %t/neighbours.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/kind.mlir dump=%t/kind.txt})' -o /dev/null && FileCheck %s --check-prefix=KIND --input-file=%t/kind.txt
// RUN: mem-opt %t/peers.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/peer.mlir dump=%t/peer.txt})' -o /dev/null && FileCheck %s --check-prefix=PEER --input-file=%t/peer.txt
// RUN: mem-opt %t/axes.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/axis.mlir dump=%t/axis.txt})' -o /dev/null && FileCheck %s --check-prefix=AXIS --input-file=%t/axis.txt
// RUN: mem-opt %t/both.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/one.mlir})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: mem-opt %t/both.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/duplex.mlir report=%t/plan.trace})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUPLEX
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t/plan.trace
// RUN: mem-opt %t/both.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%t/two.mlir report=%t/two.trace})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=TRACE2 --input-file=%t/two.trace

// Within four ranks, rank 3 sends to the next node. The exchange between pairs stays in a node on every
// rank. What rank 0 alone sends to rank 1 does, too: no other rank sends it. Nothing is known of the rank that is an argument.
// NODE4: rank-link "slow" latency 0 bandwidth 0.1
// NODE4-NEXT: rank-link "fast" latency 0 bandwidth 1
// NODE4: "mpi.isend" {{.*}}link 640 on "slow"
// NODE4: "mpi.irecv" {{.*}}link 640 on "slow"
// NODE4: "mpi.isend" {{.*}}link 64 on "fast"
// NODE4: "mpi.send" {{.*}}link 64 on "fast"
// NODE4: "mpi.send" {{.*}}link 640 on "slow"

// NODE8: "mpi.isend" {{.*}}link 64 on "fast"
// NODE8: "mpi.irecv" {{.*}}link 64 on "fast"
// NODE8: "mpi.isend" {{.*}}link 64 on "fast"
// NODE8: "mpi.send" {{.*}}link 64 on "fast"
// NODE8: "mpi.send" {{.*}}link 640 on "slow"

// To the next one, around the ring; from the one before. Pairs have no distance, and neither has the argument.
// DISTANCE: "mpi.isend" {{.*}}link 64 on "fast"
// DISTANCE: "mpi.irecv" {{.*}}link 640 on "slow"
// DISTANCE: "mpi.isend" {{.*}}link 640 on "slow"
// DISTANCE: "mpi.send" {{.*}}link 64 on "fast"
// DISTANCE: "mpi.send" {{.*}}link 640 on "slow"

// KIND: "mpi.isend" {{.*}}link 64 on "fast"
// KIND: "mpi.irecv" {{.*}}link 640 on "slow"
// KIND: "mpi.isend" {{.*}}link 64 on "fast"

// The number of ranks need not be known for constants.
// PEER: "mpi.isend" {{.*}}link 64 on "fast"
// PEER: "mpi.isend" {{.*}}link 640 on "slow"

// Reductions along the last axis, along the first one, and of all ranks: two messages each. An exchange along the last axis is no collective.
// AXIS: "mpi.allreduce" {{.*}}blocks link 128 on "fast"
// AXIS: "mpi.allreduce" {{.*}}blocks link 1280 on "slow"
// AXIS: "mpi.allreduce" {{.*}}blocks link 1280 on "slow"
// AXIS: "mpi.send" {{.*}}blocks link 640 on "slow"

// Two messages of 10 + 64 cycles on one link, on the two directions of one, and on two links.
// ONE: 148 makespan
// DUPLEX: 74 makespan
// TRACE: "link between, out"
// TRACE-SAME: "link between, in"
// TWO: 74 makespan
// TRACE2: "link one"
// TRACE2-SAME: "link two"

//--- node4.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, ranks = [8],
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", node = 4>, #mem.route<"slow">]>} {}

//--- node8.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, ranks = [2, 4],
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"slow">, #mem.route<"fast", node = 8>]>} {}

//--- distance.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, ranks = [8],
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", distances = [1]>, #mem.route<"slow">]>} {}

//--- kind.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">,
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", send>, #mem.route<"slow">]>} {}

//--- peer.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">,
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", peers = [1, 2]>, #mem.route<"slow">]>} {}

//--- axis.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">, ranks = [2, 4],
  links = [#mem.link<"slow", latency = 0, bandwidth = 0.1>, #mem.link<"fast", latency = 0, bandwidth = 1.0>],
  routes = [#mem.route<"fast", collective, axes = [1]>, #mem.route<"slow">]>} {}

//--- one.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">,
  links = [#mem.link<"between", latency = 10, bandwidth = 1.0>]>} {}

//--- duplex.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">,
  links = [#mem.link<"between", latency = 10, bandwidth = 1.0, duplex>]>} {}

//--- two.mlir
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"memory">,
  links = [#mem.link<"one", latency = 10, bandwidth = 1.0>, #mem.link<"two", latency = 10, bandwidth = 1.0>],
  routes = [#mem.route<"one", receive>, #mem.route<"two">]>} {}

//--- both.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  return
}

//--- neighbours.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>, %other: i32) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rank = mpi.comm_rank(%world) : i32
  %size = mpi.comm_size(%world) : i32
  %up = arith.addi %rank, %one : i32
  %next = arith.remsi %up, %size : i32
  %down = arith.addi %rank, %size : i32
  %less = arith.subi %down, %one : i32
  %before = arith.remsi %less, %size : i32
  %pair = arith.xori %rank, %one : i32
  %s = mpi.isend(%x, %tag, %next, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%y, %tag, %before, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %p = mpi.isend(%x, %tag, %pair, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  mpi.wait(%p) : !mpi.request
  %first = arith.cmpi eq, %rank, %tag : i32
  scf.if %first {
    mpi.send(%x, %tag, %one, %world) : memref<16xf32>, i32, i32
  }
  mpi.send(%x, %tag, %other, %world) : memref<16xf32>, i32, i32
  return
}

//--- peers.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %a = mpi.isend(%x, %tag, %two, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %b = mpi.isend(%x, %tag, %three, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%a) : !mpi.request
  mpi.wait(%b) : !mpi.request
  return
}

//--- axes.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %four = arith.constant 4 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rank = mpi.comm_rank(%world) : i32
  %row = arith.divsi %rank, %four : i32
  %column = arith.remsi %rank, %four : i32
  %along = mpi.comm_split(%world, %row, %column) : !mpi.comm
  %across = mpi.comm_split(%world, %column, %row) : !mpi.comm
  mpi.allreduce(%x, %y, MPI_SUM, %along) : memref<16xf32>, memref<16xf32>
  mpi.allreduce(%x, %y, MPI_SUM, %across) : memref<16xf32>, memref<16xf32>
  mpi.allreduce(%x, %y, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  %own = mpi.comm_rank(%along) : i32
  %pair = arith.xori %own, %one : i32
  mpi.send(%x, %zero, %pair, %along) : memref<16xf32>, i32, i32
  return
}
