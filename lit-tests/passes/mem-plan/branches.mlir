// The arms of a branch never execute together, so buffers local to one arm may share bytes with
// buffers local to the other. A buffer that is live across the branch shares bytes with neither.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s

// CHECK-LABEL: func.func @arms
func.func @arms(%c: i1) {
  // CHECK: mem.arena "arena", 300
  // CHECK: mem.view %arena[0] {{.*}}name = "across"
  %across = mem.buffer {name = "across"} : !mem.buffer<100>
  %0 = mem.descriptor %across[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "define" defines(%0 : memref<100xi8>)
  scf.if %c {
    // CHECK: mem.view %arena[100] {{.*}}name = "then"
    %then = mem.buffer {name = "then"} : !mem.buffer<200>
    %1 = mem.descriptor %then[0, 200] : !mem.buffer<200> -> memref<200xi8>
    mem.kernel "t" defines(%1 : memref<200xi8>)
    mem.kernel "u" uses(%1 : memref<200xi8>) may_defines(%0 : memref<100xi8>)
  } else {
    // CHECK: mem.view %arena[100] {{.*}}name = "else"
    %else = mem.buffer {name = "else"} : !mem.buffer<150>
    %1 = mem.descriptor %else[0, 150] : !mem.buffer<150> -> memref<150xi8>
    mem.kernel "e" defines(%1 : memref<150xi8>)
    mem.kernel "f" uses(%1 : memref<150xi8>) may_defines(%0 : memref<100xi8>)
  }
  mem.kernel "use" uses(%0 : memref<100xi8>) defines(%0 : memref<100xi8>)
  return
}

// The result, which is read below, may be the buffer of either arm: both must stay live until that
// read, but they may share bytes with each other.
// CHECK-LABEL: func.func @yielded
func.func @yielded(%c: i1) {
  // CHECK: mem.arena "arena", 200
  %r = scf.if %c -> (memref<100xi8>) {
    // CHECK: mem.view %arena[0] {{.*}}name = "then"
    %then = mem.buffer {name = "then"} : !mem.buffer<100>
    %1 = mem.descriptor %then[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "t" defines(%1 : memref<100xi8>)
    scf.yield %1 : memref<100xi8>
  } else {
    %else = mem.buffer {name = "else"} : !mem.buffer<100>
    %1 = mem.descriptor %else[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "e" defines(%1 : memref<100xi8>)
    scf.yield %1 : memref<100xi8>
  }
  mem.kernel "use" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}

// A kernel with a predicate may not execute, so the previous contents stay live.
// CHECK-LABEL: func.func @predicate
func.func @predicate(%p: i1) {
  // CHECK: mem.arena "arena", 200
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "always" defines(%0 : memref<100xi8>)
  %t = mem.buffer {name = "t"} : !mem.buffer<100>
  %1 = mem.descriptor %t[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "other" defines(%1 : memref<100xi8>)
  mem.kernel "other" uses(%1 : memref<100xi8>) may_defines(%1 : memref<100xi8>)
  mem.kernel "maybe" defines(%0 : memref<100xi8>) if %p
  mem.kernel "use" uses(%0 : memref<100xi8>) may_defines(%0 : memref<100xi8>)
  return
}
