// Sizes known only at run time. The order of the addresses is valid for all sizes; arithmetic that
// precedes all uses of the arena computes the offsets.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' --split-input-file | FileCheck %s

// Equal and proportional sizes: every offset is a multiple of the one unknown, so no comparison is
// needed. Two buffers are live at once, and the third reuses the bytes of the first: 64 n + 128 n.
// CHECK-LABEL: func.func @proportional
// CHECK-SAME: (%[[N:.*]]: index)
func.func @proportional(%n: index) {
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %one = arith.muli %n, %c64 : index
  %two = arith.muli %n, %c128 : index
  // Negative sizes are clamped to zero.
  // CHECK: %[[N0:.*]] = arith.maxsi %[[N]], %c0
  // CHECK-NOT: arith.max
  // CHECK: %[[C192:.*]] = arith.constant 192
  // CHECK: %[[PEAK:.*]] = arith.muli %[[N0]], %[[C192]]
  // CHECK: %[[ARENA:.*]] = mem.arena "arena", %[[PEAK]] {alignment = 64 : i64, strategy = "{{.*}}"}
  // CHECK: mem.view %[[ARENA]][{{.*}}, %{{.*}}] {{.*}}name = "a"{{.*}} -> !mem.buffer<?>
  %a = mem.buffer[%one] {name = "a", alignment = 64} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %one] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  %b = mem.buffer[%two] {name = "b", alignment = 64} : !mem.buffer<?>
  %1 = mem.descriptor %b[0, %two] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "b" uses(%0 : memref<?xi8>) defines(%1 : memref<?xi8>)
  %c = mem.buffer[%one] {name = "c", alignment = 64} : !mem.buffer<?>
  %2 = mem.descriptor %c[0, %one] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "c" uses(%1 : memref<?xi8>) defines(%2 : memref<?xi8>)
  mem.kernel "use" uses(%2 : memref<?xi8>) may_defines(%2 : memref<?xi8>)
  return
}

// -----

// Two unknowns: which one is larger is determined at run time.
// CHECK-LABEL: func.func @unrelated
// CHECK-SAME: (%[[N:.*]]: index, %[[M:.*]]: index)
func.func @unrelated(%n: index, %m: index) {
  // CHECK-DAG: %[[N0:.*]] = arith.maxsi %[[N]], %c0
  // CHECK-DAG: %[[M0:.*]] = arith.maxsi %[[M]], %c0
  // CHECK-DAG: %[[PEAK:.*]] = arith.maxsi %[[N0]], %[[M0]]
  // CHECK: mem.arena "arena", %[[PEAK]]
  // CHECK: mem.view %arena[0, %[[N]]]
  %a = mem.buffer[%n] {name = "a"} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  mem.kernel "use" uses(%0 : memref<?xi8>) may_defines(%0 : memref<?xi8>)
  // CHECK: mem.view %arena[0, %[[M]]]
  %b = mem.buffer[%m] {name = "b"} : !mem.buffer<?>
  %1 = mem.descriptor %b[0, %m] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "b" defines(%1 : memref<?xi8>)
  mem.kernel "use" uses(%1 : memref<?xi8>) may_defines(%1 : memref<?xi8>)
  return
}

// -----

// A size that need not be a multiple of the alignment is rounded up.
// CHECK-LABEL: func.func @aligned
// CHECK-SAME: (%[[N:.*]]: index)
func.func @aligned(%n: index) {
  // CHECK: %[[N0:.*]] = arith.maxsi %[[N]], %c0
  // CHECK: %[[C63:.*]] = arith.constant 63
  // CHECK: %[[UP:.*]] = arith.addi %[[N0]], %[[C63]]
  // CHECK: %[[MASK:.*]] = arith.constant -64
  // CHECK: %[[OFFSET:.*]] = arith.andi %[[UP]], %[[MASK]]
  // CHECK: mem.view %arena[0, %[[N]]] {{.*}}name = "a"
  %a = mem.buffer[%n] {name = "a", alignment = 64} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  // CHECK: mem.view %arena[%[[OFFSET]], %[[N]]] {{.*}}name = "b"
  %b = mem.buffer[%n] {name = "b", alignment = 64} : !mem.buffer<?>
  %1 = mem.descriptor %b[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "b" uses(%0 : memref<?xi8>) defines(%1 : memref<?xi8>)
  mem.kernel "use" uses(%0, %1 : memref<?xi8>, memref<?xi8>) may_defines(%1 : memref<?xi8>)
  return
}

// -----

// Only an elementwise operation works in place; an operand of the same size that is read again keeps its bytes.
// CHECK-LABEL: func.func @in_place
func.func @in_place(%n: index, %out: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %bytes = arith.muli %n, %c4 : index
  %a = mem.buffer[%bytes] {name = "a"} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %bytes] : !mem.buffer<?> -> memref<?xi8>
  %va = memref.view %0[%c0][%n] : memref<?xi8> to memref<?xf32>
  mem.kernel "a" defines(%va : memref<?xf32>)
  %b = mem.buffer[%bytes] {name = "b"} : !mem.buffer<?>
  %1 = mem.descriptor %b[0, %bytes] : !mem.buffer<?> -> memref<?xi8>
  %vb = memref.view %1[%c0][%n] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%va : memref<?xf32>) outs(%vb : memref<?xf32>)
  %c = mem.buffer[%bytes] {name = "c"} : !mem.buffer<?>
  %2 = mem.descriptor %c[0, %bytes] : !mem.buffer<?> -> memref<?xi8>
  %vc = memref.view %2[%c0][%n] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%vb : memref<?xf32>) outs(%vc : memref<?xf32>)
  // CHECK: mem.view %arena[0, {{.*}}name = "a"
  // CHECK: mem.view %arena[0, {{.*}}name = "b"
  // CHECK: mem.view %arena[%{{.*}}name = "c"
  linalg.add ins(%vb, %vc : memref<?xf32>, memref<?xf32>) outs(%out : memref<?xf32>)
  return
}

// -----

// The sizes may differ, and a result with fewer elements never reuses the bytes of its operand.
// CHECK-LABEL: func.func @not_in_place
func.func @not_in_place(%n: index, %m: index, %out: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %bytes = arith.muli %n, %c4 : index
  %more = arith.muli %m, %c4 : index
  %a = mem.buffer[%bytes] {name = "a"} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %bytes] : !mem.buffer<?> -> memref<?xi8>
  %va = memref.view %0[%c0][%n] : memref<?xi8> to memref<?xf32>
  mem.kernel "a" defines(%va : memref<?xf32>)
  %b = mem.buffer[%more] {name = "b"} : !mem.buffer<?>
  %1 = mem.descriptor %b[0, %more] : !mem.buffer<?> -> memref<?xi8>
  %vb = memref.view %1[%c0][%m] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%va : memref<?xf32>) outs(%vb : memref<?xf32>)
  // CHECK: mem.view %arena[0, {{.*}}name = "a"
  // CHECK: mem.view %arena[%{{.*}}name = "b"
  linalg.exp ins(%vb : memref<?xf32>) outs(%out : memref<?xf32>)
  return
}

// -----

// Loop-carried: two slots of the same size.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: index, %rounds: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = mem.buffer[%n] {name = "init"} : !mem.buffer<?>
  %0 = mem.descriptor %init[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "init" defines(%0 : memref<?xi8>)
  %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%old = %0) -> (memref<?xi8>) {
    // CHECK: %[[S0:.*]] = mem.view %arena[{{.*}}, %{{.*}}] {{.*}}name = "state.slot0"
    // CHECK: %[[S1:.*]] = mem.view %arena[{{.*}}, %{{.*}}] {{.*}}name = "state.slot1"
    // CHECK: mem.rotate(%[[S0]], %[[S1]]) avoiding(%{{.*}} : memref<?xi8>) : !mem.buffer<?>
    %state = mem.buffer[%n] {name = "state"} : !mem.buffer<?>
    %1 = mem.descriptor %state[0, %n] : !mem.buffer<?> -> memref<?xi8>
    mem.kernel "step" uses(%old : memref<?xi8>) defines(%1 : memref<?xi8>)
    scf.yield %1 : memref<?xi8>
  }
  mem.kernel "use" uses(%r : memref<?xi8>) may_defines(%r : memref<?xi8>)
  return
}

// -----

// The workspace of a callee gets a slice, too; a callee whose workspace size is unknown has its own arena.
// CHECK-LABEL: func.func private @fixed
// CHECK-SAME: !mem.arena
func.func private @fixed() {
  %t = mem.buffer {name = "t"} : !mem.buffer<64>
  %0 = mem.descriptor %t[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "t" defines(%0 : memref<64xi8>)
  mem.kernel "use" uses(%0 : memref<64xi8>) may_defines(%0 : memref<64xi8>)
  return
}
// CHECK-LABEL: func.func private @sized
// CHECK-NOT: !mem.arena)
// CHECK: mem.arena "arena", %
func.func private @sized(%n: index) {
  %t = mem.buffer[%n] {name = "t"} : !mem.buffer<?>
  %0 = mem.descriptor %t[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "t" defines(%0 : memref<?xi8>)
  mem.kernel "use" uses(%0 : memref<?xi8>) may_defines(%0 : memref<?xi8>)
  return
}
// CHECK-LABEL: func.func @caller
func.func @caller(%n: index) {
  // CHECK: mem.arena "arena", %
  %a = mem.buffer[%n] {name = "a"} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  // CHECK: %[[SLICE:.*]] = mem.slice %arena[{{.*}}, 64]
  // CHECK: call @fixed(%[[SLICE]])
  call @fixed() : () -> ()
  // CHECK: call @sized(%{{.*}}) : (index) -> ()
  call @sized(%n) : (index) -> ()
  mem.kernel "use" uses(%0 : memref<?xi8>) may_defines(%0 : memref<?xi8>)
  return
}

// -----

// A size that is computed only inside a branch is computed again where the arena is created.
// CHECK-LABEL: func.func @hoisted
// CHECK-SAME: (%[[C:.*]]: i1, %[[N:.*]]: index)
func.func @hoisted(%c: i1, %n: index) {
  %c10 = arith.constant 10 : index
  // CHECK: %[[LESS:.*]] = arith.subi %[[N]], %c10
  // CHECK: %[[SIZE:.*]] = arith.maxsi %[[LESS]], %c0
  // CHECK: mem.arena "arena", %[[SIZE]]
  // CHECK: scf.if
  scf.if %c {
    %less = arith.subi %n, %c10 : index
    %a = mem.buffer[%less] {name = "a"} : !mem.buffer<?>
    %0 = mem.descriptor %a[0, %less] : !mem.buffer<?> -> memref<?xi8>
    mem.kernel "a" defines(%0 : memref<?xi8>)
    mem.kernel "use" uses(%0 : memref<?xi8>) may_defines(%0 : memref<?xi8>)
  }
  return
}

// -----

// Nothing in the first block needs the arena, so the arena is created at the end of that block.
// CHECK-LABEL: func.func @needed_later
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: mem.arena "arena", %
// CHECK-NEXT: cf.cond_br
func.func @needed_later(%p: i1, %n: index, %out: memref<?xi8>) {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %a = mem.buffer[%n] {name = "a"} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  memref.copy %0, %out : memref<?xi8> to memref<?xi8>
  cf.br ^bb2
^bb2:
  return
}
