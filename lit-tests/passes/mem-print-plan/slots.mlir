// Special cases: a buffer with several slots, a callee's slice of its caller's arena, unused storage.
// The printed peak is the size of the arena.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{output=-})' -o /dev/null | FileCheck %s

// CHECK: @leaf: 1 buffer
// CHECK: peak 30, lower bound 30
func.func private @leaf() {
  %a = mem.buffer {name = "a"} : !mem.buffer<30>
  %0 = mem.descriptor %a[0, 30] : !mem.buffer<30> -> memref<30xi8>
  mem.kernel "w" defines(%0 : memref<30xi8>)
  return
}

// CHECK: @loop:
// CHECK: peak 300
// CHECK-DAG: state.slot0 {{.*}} 100
// CHECK-DAG: state.slot1 {{.*}} 100
// CHECK-DAG: never {{.*}} never
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %never = mem.buffer {name = "never"} : !mem.buffer<100>
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    %state = mem.buffer {name = "state"} : !mem.buffer<100>
    %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" uses(%old : memref<100xi8>) defines(%1 : memref<100xi8>)
    scf.yield %1 : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  func.call @leaf() : () -> ()
  return
}
