// With engines, transfers are issued early, overlap with computation, and are waited for where their
// data is needed. Without engines, transfers are synchronous and take place where their data is needed.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels,mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{model=overlapped},mem-verify-plan)' | FileCheck %s
// RUN: sed 's/, engines = \[.*\]>/>/' %s | mem-opt --pass-pipeline='builtin.module(mem-assign-levels,mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{model=fast})' 2>&1 | FileCheck %s --check-prefix=MODEL

// MODEL: error: mem-assign-levels: unknown value 'fast' for option 'model': expected serial or overlapped
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 4096, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 1.0), write = (latency = 20, bandwidth = 1.0)>
    , engines = [#mem.engine<"in", "slow" to "fast">, #mem.engine<"out", "fast" to "slow">]>} {
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[W:.*]]: memref<128xf32> {mem.name = "arg0", mem.noalias}, %[[Y:.*]]: memref<128xf32> {mem.name = "arg1", mem.noalias}
  // PLAIN-LABEL: func.func @main(
  // PLAIN-NOT: async
  // PLAIN: mem.store
  // PLAIN-NOT: mem.wait
  func.func @main(%w: memref<128xf32> {mem.noalias}, %y: memref<128xf32> {mem.noalias}) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    // The weights are prefetched while another kernel runs.
    // CHECK: %[[T:.*]] = mem.load async %[[W]] to %[[FAST:.*]] :
    // CHECK: mem.kernel "k0"
    // CHECK: mem.wait %[[T]]
    // CHECK-NEXT: mem.kernel "k1" uses(%[[FAST]]
    mem.kernel "k0" defines(%va : memref<32xf32>) {cycles = 2000}
    mem.kernel "k1" uses(%w : memref<128xf32>) may_defines(%va : memref<32xf32>)
    mem.kernel "k2" uses(%w : memref<128xf32>) may_defines(%va : memref<32xf32>)
    mem.kernel "k3" uses(%w : memref<128xf32>) defines(%y : memref<128xf32>)
    mem.kernel "k4" uses(%y : memref<128xf32>) may_defines(%va : memref<32xf32>)
    // The store of the result overlaps with later reads of it, and completes before the return.
    // CHECK: mem.kernel "k3"
    // CHECK: %[[S:.*]] = mem.store async %{{.*}} to %[[Y]] :
    // CHECK: mem.kernel "k5"
    // CHECK: mem.wait %[[S]]
    // CHECK-NEXT: return
    mem.kernel "k5" uses(%y, %va : memref<128xf32>, memref<32xf32>) may_defines(%va : memref<32xf32>)
    mem.kernel "k6" uses(%va : memref<32xf32>) may_defines(%va : memref<32xf32>) {cycles = 2000}
    return
  }
}
