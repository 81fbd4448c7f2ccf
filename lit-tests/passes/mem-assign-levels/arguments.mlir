// Arguments and globals are copied only if no alias can write them. Results are stored home before the return.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=farthest-next-use},mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=farthest-next-use noalias-arguments=true},mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=NOALIAS

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 4096, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>>} {
  memref.global "private" constant @weights : memref<32xf32> = dense<1.0>
  memref.global "private" @counter : memref<32xf32> = dense<1.0>

  // The arguments may alias, so nothing is copied. With `noalias-arguments` both are, and `mem.noalias` records why.
  // CHECK-LABEL: func.func @any(
  // CHECK-NOT: mem.load
  // CHECK: return
  // NOALIAS-LABEL: func.func @any(
  // NOALIAS-SAME: %[[X:.*]]: memref<32xf32> {mem.name = "arg0", mem.noalias}, %[[Y:.*]]: memref<32xf32> {mem.name = "arg1", mem.noalias}
  // NOALIAS: mem.load %[[X]] to %{{.*}} :
  // NOALIAS: mem.store %{{.*}} to %[[Y]] :
  // NOALIAS: return
  func.func @any(%x: memref<32xf32>, %y: memref<32xf32>) {
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%y : memref<32xf32>)
    mem.kernel "b" uses(%x : memref<32xf32>) defines(%y : memref<32xf32>)
    return
  }

  // Both arguments are only read, so whether they alias does not matter.
  // CHECK-LABEL: func.func @reads(
  // CHECK-COUNT-2: mem.load
  func.func @reads(%x: memref<32xf32>, %y: memref<32xf32>) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x, %y : memref<32xf32>, memref<32xf32>) defines(%va : memref<32xf32>)
    mem.kernel "b" uses(%x, %y, %va : memref<32xf32>, memref<32xf32>, memref<32xf32>) defines(%va : memref<32xf32>)
    return
  }

  // A constant is copied where it is used. A global that other code may write is not.
  // CHECK-LABEL: func.func @globals(
  // CHECK: memref.get_global @weights
  // CHECK: mem.load %{{.*}} to %[[FAST:.*]] :
  // CHECK: mem.kernel "a" uses(%[[FAST]] :
  // CHECK: %[[C:.*]] = memref.get_global @counter
  // CHECK-NOT: mem.load
  // CHECK: mem.kernel "b" uses(%[[C]] :
  func.func @globals(%x: memref<32xf32> {mem.noalias}) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = memref.get_global @weights : memref<32xf32>
    mem.kernel "a" uses(%w : memref<32xf32>) defines(%va : memref<32xf32>)
    %c = memref.get_global @counter : memref<32xf32>
    mem.kernel "b" uses(%c : memref<32xf32>) may_defines(%va : memref<32xf32>)
    return
  }

  // Arguments with an explicit level, a layout of their own or an unknown size are used in place.
  // CHECK-LABEL: func.func @spaces(
  // CHECK-NOT: mem.load
  // CHECK: return
  func.func @spaces(%x: memref<32xf32, #mem.space<"fast">> {mem.noalias},
                    %y: memref<32xf32, strided<[2]>> {mem.noalias}, %z: memref<?xf32> {mem.noalias}) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x, %y, %z : memref<32xf32, #mem.space<"fast">>, memref<32xf32, strided<[2]>>, memref<?xf32>)
                   defines(%va : memref<32xf32>)
    return
  }

  // A function called from this module uses the slowest level only. Its caller uses the other levels as well.
  // CHECK-LABEL: func.func private @callee(
  // CHECK-NOT: mem.arena "fast"
  // CHECK: mem.arena "slow"
  // CHECK-LABEL: func.func @caller(
  // CHECK: mem.arena "fast"
  func.func private @callee(%x: memref<32xf32>) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" defines(%va : memref<32xf32>)
    mem.kernel "b" uses(%va : memref<32xf32>) defines(%x : memref<32xf32>)
    return
  }
  func.func @caller(%x: memref<32xf32> {mem.noalias}) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    func.call @callee(%va) : (memref<32xf32>) -> ()
    mem.kernel "b" uses(%va : memref<32xf32>) defines(%x : memref<32xf32>)
    return
  }
}
