// A buffer that is loop-carried or read in every iteration is live throughout the loop; one that is
// defined and dead within an iteration is live only there. A buffer hoisted out of the loop but rewritten
// at the start of every iteration is equivalent to a local one. A loop may run zero iterations.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s

// CHECK-LABEL: func.func @read_in_every_round
func.func @read_in_every_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 300
  // CHECK: mem.view %arena[0] {{.*}}name = "weights"
  %weights = mem.buffer {name = "weights"} : !mem.buffer<100>
  %0 = mem.descriptor %weights[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "load" defines(%0 : memref<100xi8>)
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: mem.view %arena[100] {{.*}}name = "first"
    %first = mem.buffer {name = "first"} : !mem.buffer<100>
    %1 = mem.descriptor %first[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "read" uses(%0 : memref<100xi8>) defines(%1 : memref<100xi8>)
    // CHECK: mem.view %arena[200] {{.*}}name = "second"
    %second = mem.buffer {name = "second"} : !mem.buffer<100>
    %2 = mem.descriptor %second[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" uses(%1 : memref<100xi8>) defines(%2 : memref<100xi8>)
    // The weights are still live, although no later operation uses them: the next iteration reads them.
    // CHECK: mem.view %arena[100] {{.*}}name = "third"
    %third = mem.buffer {name = "third"} : !mem.buffer<100>
    %3 = mem.descriptor %third[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" uses(%2 : memref<100xi8>) defines(%3 : memref<100xi8>)
    mem.kernel "step" uses(%3 : memref<100xi8>) defines(%3 : memref<100xi8>)
  }
  return
}

// CHECK-LABEL: func.func @hoisted
func.func @hoisted(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 100
  // CHECK: mem.view %arena[0] {{.*}}name = "hoisted"
  %hoisted = mem.buffer {name = "hoisted"} : !mem.buffer<100>
  %0 = mem.descriptor %hoisted[0, 100] : !mem.buffer<100> -> memref<100xi8>
  // CHECK: mem.view %arena[0] {{.*}}name = "before"
  %before = mem.buffer {name = "before"} : !mem.buffer<100>
  %1 = mem.descriptor %before[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "b" defines(%1 : memref<100xi8>)
  mem.kernel "b" uses(%1 : memref<100xi8>) may_defines(%1 : memref<100xi8>)
  scf.for %i = %c0 to %n step %c1 {
    mem.kernel "w" defines(%0 : memref<100xi8>)
    mem.kernel "r" uses(%0 : memref<100xi8>) may_defines(%0 : memref<100xi8>)
    // CHECK: mem.view %arena[0] {{.*}}name = "local"
    %local = mem.buffer {name = "local"} : !mem.buffer<100>
    %2 = mem.descriptor %local[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "w" defines(%2 : memref<100xi8>)
    mem.kernel "r" uses(%2 : memref<100xi8>) may_defines(%2 : memref<100xi8>)
  }
  return
}

// Only partly rewritten: the last byte is loop-carried, and buffers local to an
// iteration may reuse all the others.
// CHECK-LABEL: func.func @hoisted_and_partly_rewritten
func.func @hoisted_and_partly_rewritten(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 101
  %hoisted = mem.buffer {name = "hoisted"} : !mem.buffer<100>
  %0 = mem.descriptor %hoisted[0, 100] : !mem.buffer<100> -> memref<100xi8>
  %part = mem.descriptor %hoisted[0, 99] : !mem.buffer<100> -> memref<99xi8>
  scf.for %i = %c0 to %n step %c1 {
    mem.kernel "w" defines(%part : memref<99xi8>)
    mem.kernel "r" uses(%0 : memref<100xi8>) may_defines(%0 : memref<100xi8>)
    %local = mem.buffer {name = "local"} : !mem.buffer<100>
    %2 = mem.descriptor %local[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "w" defines(%2 : memref<100xi8>)
    mem.kernel "r" uses(%2 : memref<100xi8>) may_defines(%2 : memref<100xi8>)
  }
  return
}

// The loop may run zero iterations: then its result is the initial buffer, which must stay live.
// CHECK-LABEL: func.func @no_round
func.func @no_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.view %arena[0] {{.*}}name = "init"
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    %new = mem.buffer {name = "new"} : !mem.buffer<100>
    %1 = mem.descriptor %new[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" defines(%1 : memref<100xi8>)
    scf.yield %1 : memref<100xi8>
  }
  // Not at 0: the initial buffer may be read below.
  // CHECK: mem.view %arena[{{[1-9][0-9]*}}] {{.*}}name = "other"
  %other = mem.buffer {name = "other"} : !mem.buffer<100>
  %2 = mem.descriptor %other[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "o" defines(%2 : memref<100xi8>)
  mem.kernel "o" uses(%2, %r : memref<100xi8>, memref<100xi8>) may_defines(%2 : memref<100xi8>)
  return
}

// The same loop with branches between blocks.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 200
  // CHECK: mem.view %arena[0] {{.*}}name = "weights"
  %weights = mem.buffer {name = "weights"} : !mem.buffer<100>
  %0 = mem.descriptor %weights[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "load" defines(%0 : memref<100xi8>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  mem.kernel "read" uses(%0 : memref<100xi8>) may_defines(%0 : memref<100xi8>)
  // CHECK: mem.view %arena[100] {{.*}}name = "local"
  %local = mem.buffer {name = "local"} : !mem.buffer<100>
  %1 = mem.descriptor %local[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%1 : memref<100xi8>)
  mem.kernel "r" uses(%1 : memref<100xi8>) may_defines(%1 : memref<100xi8>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  // CHECK: mem.view %arena[0] {{.*}}name = "after"
  %after = mem.buffer {name = "after"} : !mem.buffer<100>
  %2 = mem.descriptor %after[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "a" defines(%2 : memref<100xi8>)
  return
}

// An infinite loop, and a block that branches to itself.
// CHECK-LABEL: func.func @forever
func.func @forever() {
  // CHECK: mem.view %arena[0] {{.*}}name = "a"
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "a" defines(%0 : memref<100xi8>)
  cf.br ^self
^self:
  // CHECK: mem.view %arena[100] {{.*}}name = "b"
  %b = mem.buffer {name = "b"} : !mem.buffer<100>
  %1 = mem.descriptor %b[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "b" uses(%0 : memref<100xi8>) defines(%1 : memref<100xi8>)
  cf.br ^self
}
