// An iteration reads the previous iteration's instance while it writes its own. One address cannot
// hold both: the buffer gets two slots, and `mem.rotate` picks the slot that does not hold the old
// instance. If the old instance is dead before the new one is written, one slot is enough.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s

// CHECK-LABEL: func.func @carried
func.func @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  // CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    // CHECK: %[[S0:.*]] = mem.view %arena[{{.*}}] {{.*}}name = "state.slot0"
    // CHECK: %[[S1:.*]] = mem.view %arena[{{.*}}] {{.*}}name = "state.slot1"
    // CHECK: %[[S:.*]] = mem.rotate(%[[S0]], %[[S1]]) avoiding(%[[OLD]] : memref<100xi8>) : !mem.buffer<100>
    // CHECK: mem.descriptor %[[S]][0, 100]
    %state = mem.buffer {name = "state"} : !mem.buffer<100>
    %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" uses(%old : memref<100xi8>) defines(%1 : memref<100xi8>)
    scf.yield %1 : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}

// The old instance is read before the new one is written: no rotation.
// CHECK-LABEL: func.func @read_first
// CHECK-NOT: mem.rotate
func.func @read_first(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    %t = mem.buffer {name = "t"} : !mem.buffer<100>
    %1 = mem.descriptor %t[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "read" uses(%old : memref<100xi8>) defines(%1 : memref<100xi8>)
    %state = mem.buffer {name = "state"} : !mem.buffer<100>
    %2 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "write" uses(%1 : memref<100xi8>) defines(%2 : memref<100xi8>)
    scf.yield %2 : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}

// Two loop-carried instances of one buffer, the last and the one before it: three slots.
// CHECK-LABEL: func.func @two_rounds_back
func.func @two_rounds_back(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  // CHECK: scf.for {{.*}} iter_args(%[[OLDER:.*]] = %{{.*}}, %[[OLD:.*]] = %
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%older = %0, %old = %0) -> (memref<100xi8>, memref<100xi8>) {
    // CHECK: mem.rotate(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) avoiding(%[[OLDER]], %[[OLD]] :
    %state = mem.buffer {name = "state"} : !mem.buffer<100>
    %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" uses(%older, %old : memref<100xi8>, memref<100xi8>) defines(%1 : memref<100xi8>)
    scf.yield %old, %1 : memref<100xi8>, memref<100xi8>
  }
  mem.kernel "use" uses(%r#1 : memref<100xi8>) may_defines(%r#1 : memref<100xi8>)
  return
}

// Two buffers are swapped in every iteration: both are live throughout the loop at separate
// addresses, and no new instance is created, so nothing rotates.
// CHECK-LABEL: func.func @swap
// CHECK-NOT: mem.rotate
func.func @swap(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 300
  // CHECK: mem.view %arena[0] {{.*}}name = "ping"
  %ping = mem.buffer {name = "ping"} : !mem.buffer<100>
  %0 = mem.descriptor %ping[0, 100] : !mem.buffer<100> -> memref<100xi8>
  // CHECK: mem.view %arena[100] {{.*}}name = "pong"
  %pong = mem.buffer {name = "pong"} : !mem.buffer<100>
  %1 = mem.descriptor %pong[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  mem.kernel "init" defines(%1 : memref<100xi8>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0, %y = %1) -> (memref<100xi8>, memref<100xi8>) {
    // CHECK: mem.view %arena[200] {{.*}}name = "local"
    %local = mem.buffer {name = "local"} : !mem.buffer<100>
    %2 = mem.descriptor %local[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "step" uses(%x : memref<100xi8>) defines(%2 : memref<100xi8>)
    mem.kernel "step" uses(%2 : memref<100xi8>) defines(%y : memref<100xi8>)
    scf.yield %y, %x : memref<100xi8>, memref<100xi8>
  }
  mem.kernel "use" uses(%r#0, %r#1 : memref<100xi8>, memref<100xi8>) may_defines(%r#0 : memref<100xi8>)
  return
}

// Only some iterations create a new instance, so the loop-carried one may be any number of iterations old.
// CHECK-LABEL: func.func @sometimes
func.func @sometimes(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  // CHECK: iter_args(%[[OLD:.*]] = %
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<100xi8>) {
    %next = scf.if %c -> (memref<100xi8>) {
      // CHECK: mem.rotate(%{{.*}}, %{{.*}}) avoiding(%[[OLD]] : memref<100xi8>)
      %state = mem.buffer {name = "state"} : !mem.buffer<100>
      %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
      mem.kernel "step" uses(%old : memref<100xi8>) defines(%1 : memref<100xi8>)
      scf.yield %1 : memref<100xi8>
    } else {
      scf.yield %old : memref<100xi8>
    }
    scf.yield %next : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}

// The same rotation between blocks.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer {name = "init"} : !mem.buffer<100>
  %0 = mem.descriptor %init[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "init" defines(%0 : memref<100xi8>)
  cf.br ^head(%c0, %0 : index, memref<100xi8>)
^head(%i: index, %old: memref<100xi8>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  // CHECK: mem.rotate(%{{.*}}, %{{.*}}) avoiding(%{{.*}} : memref<100xi8>)
  %state = mem.buffer {name = "state"} : !mem.buffer<100>
  %1 = mem.descriptor %state[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "step" uses(%old : memref<100xi8>) defines(%1 : memref<100xi8>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %1 : index, memref<100xi8>)
^exit:
  mem.kernel "use" uses(%old : memref<100xi8>) may_defines(%old : memref<100xi8>)
  return
}
