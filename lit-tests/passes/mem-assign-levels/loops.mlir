// Loop-carried data keeps its place and is loaded before the loop. Data that a loop only reads may be loaded in
// each iteration if it does not fit throughout the loop. Every plan is verified to preserve the program's behavior.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{capacity=1024 strategy=farthest-next-use},mem-verify-plan)' \
// RUN:   | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{capacity=1024},mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{capacity=640},mem-verify-plan)' | FileCheck %s --check-prefix=TIGHT
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-scf-to-cf,mem-assign-levels{capacity=1024},mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=BLOCKS

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 4096, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 1.0), write = (latency = 20, bandwidth = 1.0)>>} {
  // The weights are loaded once, before the loop. The sum is stored home once, after the loop.
  // CHECK-LABEL: func.func @sum(
  // CHECK-SAME: %[[W:.*]]: memref<128xf32> {mem.name = "arg0", mem.noalias}, %[[SUM:.*]]: memref<32xf32>
  // CHECK: mem.load %[[W]] to %[[FAST:.*]] :
  // CHECK: scf.for
  // CHECK-NOT: mem.load
  // CHECK-NOT: mem.store
  // CHECK: mem.kernel "use" uses(%[[FAST]]
  // CHECK: return
  // TIGHT-LABEL: func.func @sum(
  // BLOCKS-LABEL: func.func @sum(
  // BLOCKS: mem.load
  // BLOCKS: cf.br ^bb1
  // BLOCKS: ^bb2:
  // BLOCKS-NOT: mem.load
  // BLOCKS: ^bb3:
  func.func @sum(%w: memref<128xf32> {mem.noalias}, %sum: memref<32xf32> {mem.noalias}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %many = arith.constant 100 : index
    %t = mem.buffer {name = "t"} : !mem.buffer<128>
    %vt = mem.descriptor %t[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "first" defines(%sum : memref<32xf32>)
    scf.for %i = %zero to %many step %one {
      mem.kernel "use" uses(%w : memref<128xf32>) defines(%vt : memref<32xf32>)
      mem.kernel "add" uses(%vt, %sum : memref<32xf32>, memref<32xf32>) defines(%sum : memref<32xf32>)
    }
    return
  }

  // There is no room for both weights at once: at least one is loaded inside the loop or used in place.
  // TIGHT-LABEL: func.func @two(
  // TIGHT-NOT: mem.swap
  // TIGHT: return
  func.func @two(%w: memref<128xf32> {mem.noalias}, %v: memref<128xf32> {mem.noalias}, %sum: memref<8xf32> {mem.noalias}) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %many = arith.constant 100 : index
    scf.for %i = %zero to %many step %one {
      mem.kernel "a" uses(%w : memref<128xf32>) may_defines(%sum : memref<8xf32>)
      mem.kernel "b" uses(%w : memref<128xf32>) may_defines(%sum : memref<8xf32>)
      mem.kernel "c" uses(%w : memref<128xf32>) may_defines(%sum : memref<8xf32>)
      mem.kernel "d" uses(%v : memref<128xf32>) may_defines(%sum : memref<8xf32>)
      mem.kernel "e" uses(%v : memref<128xf32>) may_defines(%sum : memref<8xf32>)
      mem.kernel "f" uses(%v : memref<128xf32>) may_defines(%sum : memref<8xf32>)
    }
    return
  }

  // Either buffer may be the loop-carried one in a given iteration, so each buffer has one placement.
  // CHECK-LABEL: func.func @carried(
  // CHECK: mem.view %{{.*}}name = "a"
  // CHECK-NOT: name = "a"
  // CHECK: scf.for
  func.func @carried(%x: memref<32xf32> {mem.noalias}, %n: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "first" defines(%va : memref<32xf32>)
    %last = scf.for %i = %zero to %n step %one iter_args(%old = %va) -> memref<32xf32> {
      %b = mem.buffer {name = "b"} : !mem.buffer<128>
      %vb = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
      mem.kernel "step" uses(%old : memref<32xf32>) defines(%vb : memref<32xf32>)
      scf.yield %vb : memref<32xf32>
    }
    mem.kernel "last" uses(%last : memref<32xf32>) defines(%x : memref<32xf32>)
    return
  }

  // Weights that one branch needs are loaded there or before both branches, never only on the other path.
  // CHECK-LABEL: func.func @branches(
  func.func @branches(%w: memref<128xf32> {mem.noalias}, %x: memref<32xf32> {mem.noalias}, %p: i1) {
    scf.if %p {
      mem.kernel "a" uses(%w : memref<128xf32>) may_defines(%x : memref<32xf32>)
      mem.kernel "b" uses(%w : memref<128xf32>) may_defines(%x : memref<32xf32>)
      mem.kernel "c" uses(%w : memref<128xf32>) may_defines(%x : memref<32xf32>)
    } else {
      mem.kernel "d" may_defines(%x : memref<32xf32>)
    }
    mem.kernel "e" uses(%w, %x : memref<128xf32>, memref<32xf32>) defines(%x : memref<32xf32>)
    return
  }
}
