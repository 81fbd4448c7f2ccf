// Copies to the host and back run beside messages to other ranks, on another link: what stalls the program
// without messages is hidden while it waits for one.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/program.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%t/alone.mlir budget=128 policy=swap})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: mem-opt %t/program.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%t/linked.mlir budget=128 policy=swap dump=%t/problem.txt})' --mlir-pass-statistics -o %t/planned.mlir 2>&1 | FileCheck %s --check-prefix=LINKED
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t/problem.txt
// RUN: mem-opt %t/program.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%t/two.mlir budget=128 policy=swap dump=%t/two.txt})' --mlir-pass-statistics -o %t/two-planned.mlir 2>&1 | FileCheck %s --check-prefix=LINKED
// RUN: FileCheck %s --check-prefix=NAMED --input-file=%t/two.txt
// RUN: mem-plan %t/two.txt | FileCheck %s --check-prefix=REPLAYED
// RUN: FileCheck %s --check-prefix=PLANNED --input-file=%t/planned.mlir

// "a" leaves in 64 cycles, of which the second kernel hides 10, and returns in 64.
// ALONE-DAG: (S) {{ *}}158 makespan
// ALONE-DAG: (S) {{ *}}40 ideal

// The message is under way from cycle 10 to 10 + 10 + 64 / 0.1, and the last kernel follows.
// LINKED-DAG: (S) {{ *}}670 makespan
// LINKED-DAG: (S) {{ *}}670 ideal
// LINKED-DAG: (S) {{ *}}670 least

// The serial model would wait for what is left after 20 cycles of computation.
// TEXT: step s1 "mpi.isend" cycles 0 starts m0 link 650
// TEXT: step {{.*}} "mpi.wait" cycles 630 waits 630 awaits m0

// The same on the slow one of two links, also when it is planned again without MLIR.
// NAMED: rank-link "fast" latency 0 bandwidth 1000
// NAMED-NEXT: rank-link "slow" latency 10 bandwidth 0.1 duplex
// NAMED: step s1 "mpi.isend" cycles 0 starts m0 link 650 on "slow" out
// REPLAYED: 670

// "a" returns before the wait.
// PLANNED: mem.load
// PLANNED: mpi.wait
// PLANNED: mem.wait
// PLANNED: "last"

//--- alone.mlir
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device">, #mem.level<"host", read = (latency = 0, bandwidth = 1.0), write = (latency = 0, bandwidth = 1.0)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">]>} {}

//--- linked.mlir
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device">, #mem.level<"host", read = (latency = 0, bandwidth = 1.0), write = (latency = 0, bandwidth = 1.0)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">],
  link = (latency = 10, bandwidth = 0.1)>} {}

//--- two.mlir
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device">, #mem.level<"host", read = (latency = 0, bandwidth = 1.0), write = (latency = 0, bandwidth = 1.0)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">],
  links = [#mem.link<"fast", latency = 0, bandwidth = 1000>, #mem.link<"slow", latency = 10, bandwidth = 0.1, duplex>],
  routes = [#mem.route<"fast", receive>, #mem.route<"slow">]>} {}

//--- program.mlir
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  mem.kernel "first" uses(%x : memref<16xf32>) defines(%a : memref<16xf32>) {cycles = 10 : i64}
  %s = mpi.isend(%x, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mem.kernel "second" uses(%x : memref<16xf32>) defines(%b : memref<16xf32>) {cycles = 10 : i64}
  mem.kernel "third" uses(%b : memref<16xf32>) defines(%c : memref<16xf32>) {cycles = 10 : i64}
  mpi.wait(%s) : !mpi.request
  mem.kernel "last" uses(%a, %c : memref<16xf32>, memref<16xf32>) defines(%y : memref<16xf32>) {cycles = 10 : i64}
  return
}
