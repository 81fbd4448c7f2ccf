// One core may still read the previous iteration's tensor while another writes the current one, and the program order
// does not bound how many instances are live. Such a buffer gets no address; on one core it alternates between two slots.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two_cores
func.func @two_cores(%n: index, %out: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    // CHECK: mem.buffer {name = "state"}
    // expected-remark @+1 {{buffer 'state' gets no address: steps on different cores may access two instances of it at the same time}}
    %state = mem.buffer {name = "state"} : !mem.buffer<100>
    %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "read" uses(%old : memref<100xi8>) defines(%out : memref<100xi8>) {core = 0}
    mem.kernel "make" defines(%1 : memref<100xi8>) {core = 1}
    scf.yield %1 : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}

// -----

// CHECK-LABEL: func.func @one_core
func.func @one_core(%n: index, %out: memref<100xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    // CHECK-NOT: mem.buffer {
    // CHECK: mem.view {{.*}}"state"
    %state = mem.buffer {name = "state"} : !mem.buffer<100>
    %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "read" uses(%old : memref<100xi8>) defines(%out : memref<100xi8>) {core = 0}
    mem.kernel "make" defines(%1 : memref<100xi8>) {core = 0}
    scf.yield %1 : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}
