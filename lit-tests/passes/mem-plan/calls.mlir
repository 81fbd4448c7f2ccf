// A private function that is only called directly gets its arena from its callers: a slice of the
// caller's arena that is live during the call, at any offset that is free there. Functions with
// unknown callers have their own arena.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue})' --split-input-file --verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue},mem-plan{strategy=lifetime-queue})' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @leaf
// CHECK-SAME: (%arg0: memref<100xi8>, %[[ARENA:.*]]: !mem.arena)
func.func private @leaf(%x: memref<100xi8>) {
  // CHECK-NEXT: mem.view %[[ARENA]][0] {{.*}}name = "a"
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" uses(%x : memref<100xi8>) defines(%0 : memref<100xi8>)
  mem.kernel "r" uses(%0 : memref<100xi8>) defines(%x : memref<100xi8>)
  return
}

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%arg0: memref<100xi8>)
func.func @main(%x: memref<100xi8>) {
  // CHECK: %[[ARENA:.*]] = mem.arena "arena", 250
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" uses(%x : memref<100xi8>) defines(%0 : memref<100xi8>)
  // CHECK: %[[FIRST:.*]] = mem.slice %[[ARENA]][100, 100]
  // CHECK-NEXT: call @leaf(%{{.*}}, %[[FIRST]])
  call @leaf(%0) : (memref<100xi8>) -> ()
  mem.kernel "r" uses(%0 : memref<100xi8>) defines(%x : memref<100xi8>)
  // CHECK: mem.view %[[ARENA]][0] {{.*}}name = "b"
  %b = mem.buffer {name = "b"} : !mem.buffer<150>
  %1 = mem.descriptor %b[0, 150] : !mem.buffer<150> -> memref<150xi8>
  mem.kernel "w" defines(%1 : memref<150xi8>)
  // CHECK: %[[SECOND:.*]] = mem.slice %[[ARENA]][150, 100]
  // CHECK-NEXT: call @leaf(%{{.*}}, %[[SECOND]])
  call @leaf(%x) : (memref<100xi8>) -> ()
  mem.kernel "r" uses(%1 : memref<150xi8>) defines(%x : memref<100xi8>)
  return
}

// -----

// Nested slices. A slice has the strictest alignment that the callee requires.
// CHECK-LABEL: func.func @top
func.func @top() {
  // CHECK: %[[ARENA:.*]] = mem.arena "arena", 192 {alignment = 64 : i64, strategy = "lifetime-queue"}
  %a = mem.buffer {name = "a"} : !mem.buffer<1>
  %0 = mem.descriptor %a[0, 1] : !mem.buffer<1> -> memref<1xi8>
  mem.kernel "w" defines(%0 : memref<1xi8>)
  // CHECK: mem.slice %[[ARENA]][64, 128]
  call @middle() : () -> ()
  mem.kernel "r" uses(%0 : memref<1xi8>) defines(%0 : memref<1xi8>)
  return
}
// CHECK-LABEL: func.func private @middle
// CHECK-SAME: (%[[ARENA:.*]]: !mem.arena)
func.func private @middle() {
  %a = mem.buffer {name = "a"} : !mem.buffer<1>
  %0 = mem.descriptor %a[0, 1] : !mem.buffer<1> -> memref<1xi8>
  mem.kernel "w" defines(%0 : memref<1xi8>)
  // CHECK: mem.slice %[[ARENA]][64, 64]
  call @bottom() : () -> ()
  mem.kernel "r" uses(%0 : memref<1xi8>) defines(%0 : memref<1xi8>)
  return
}
func.func private @bottom() {
  %a = mem.buffer {name = "a", alignment = 64} : !mem.buffer<64>
  %0 = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "w" defines(%0 : memref<64xi8>)
  return
}

// -----

// Called from outside the module as well, so the caller provides no arena.
// CHECK-LABEL: func.func @public
// CHECK-SAME: ()
func.func @public() {
  // CHECK-NEXT: mem.arena "arena", 16
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
  mem.kernel "w" defines(%0 : memref<16xi8>)
  return
}
// CHECK-LABEL: func.func @calls_public
func.func @calls_public() {
  // CHECK-NOT: mem.slice
  call @public() : () -> ()
  return
}

// -----

// Its address is taken: unknown calls pass no arena.
// CHECK-LABEL: func.func private @pointed_to
// CHECK-SAME: ()
func.func private @pointed_to() {
  // CHECK-NEXT: mem.arena "arena", 16
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
  mem.kernel "w" defines(%0 : memref<16xi8>)
  return
}
func.func @points() {
  %f = constant @pointed_to : () -> ()
  call_indirect %f() : () -> ()
  call @pointed_to() : () -> ()
  return
}

// -----

// Called by iterations that run concurrently, which cannot share one slice.
// CHECK-LABEL: func.func private @work
// CHECK-SAME: (%arg0: memref<16xi8>)
func.func private @work(%x: memref<16xi8>) {
  // CHECK-NEXT: mem.arena "arena", 16
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
  mem.kernel "w" uses(%x : memref<16xi8>) defines(%0 : memref<16xi8>)
  return
}
func.func @concurrently(%x: memref<16xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @work(%x) : (memref<16xi8>) -> ()
  }
  return
}

// -----

// The calls in a loop run one after another and share one slice.
func.func private @round() {
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
  mem.kernel "w" defines(%0 : memref<16xi8>)
  return
}
// CHECK-LABEL: func.func @rounds
func.func @rounds(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 16
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: mem.slice %arena[0, 16]
    func.call @round() : () -> ()
  }
  return
}

// -----

// Each activation of a recursive function needs its own bytes.
// expected-warning @+3 {{function @again calls itself, directly or not: every activation allocates an arena of 16 bytes of its own}}
// CHECK-LABEL: func.func private @again
// CHECK-SAME: (%arg0: i1)
func.func private @again(%c: i1) {
  // CHECK-NEXT: mem.arena "arena", 16
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
  mem.kernel "w" defines(%0 : memref<16xi8>)
  scf.if %c {
    func.call @again(%c) : (i1) -> ()
  }
  return
}
func.func @starts(%c: i1) {
  call @again(%c) : (i1) -> ()
  return
}

// -----

// The callee may return its argument, so the argument stays live as long as the result.
memref.global "private" @other : memref<100xi8>
func.func private @either(%a: memref<100xi8>, %c: i1) -> memref<100xi8> {
  %g = memref.get_global @other : memref<100xi8>
  %s = arith.select %c, %a, %g : memref<100xi8>
  return %s : memref<100xi8>
}
// CHECK-LABEL: func.func @result_may_be_an_argument
func.func @result_may_be_an_argument(%c: i1) {
  // CHECK: mem.arena "arena", 200
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%0 : memref<100xi8>)
  %r = call @either(%0, %c) : (memref<100xi8>, i1) -> memref<100xi8>
  %b = mem.buffer {name = "b"} : !mem.buffer<100>
  %1 = mem.descriptor %b[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%1 : memref<100xi8>)
  mem.kernel "r" uses(%1 : memref<100xi8>) may_defines(%1 : memref<100xi8>)
  mem.kernel "r" uses(%r : memref<100xi8>) may_defines(%r : memref<100xi8>)
  return
}
