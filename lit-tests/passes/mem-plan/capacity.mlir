// If no plan fits the capacity, an error at the step that does not fit reports how many bytes are
// missing, and notes list the buffers in memory at that step. The module is left unchanged.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=250})' --verify-diagnostics --split-input-file
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=250})' --split-input-file 2>&1 \
// RUN:   | FileCheck %s
// CHECK-NOT: mem.arena

func.func @three_at_once() {
  // expected-note @+1 {{'a' holds 100 bytes there, at offset 0}}
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%0 : memref<100xi8>)
  // expected-note @+1 {{'b' holds 100 bytes there, at offset 100}}
  %b = mem.buffer {name = "b"} : !mem.buffer<100>
  %1 = mem.descriptor %b[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%1 : memref<100xi8>)
  // expected-note @+1 {{'c' holds 100 bytes there, at offset 200}}
  %c = mem.buffer {name = "c"} : !mem.buffer<100>
  %2 = mem.descriptor %c[0, 100] : !mem.buffer<100> -> memref<100xi8>
  // expected-error @+1 {{300 bytes are needed at step 2 ('too much'), 50 more than the capacity of 250}}
  mem.kernel "too much" defines(%2 : memref<100xi8>)
  mem.kernel "r" uses(%0, %1, %2 : memref<100xi8>, memref<100xi8>, memref<100xi8>) defines(%0 : memref<100xi8>)
  return
}

// -----

// The workspace of a callee counts at the call.
func.func private @leaf() {
  %a = mem.buffer {name = "a"} : !mem.buffer<200>
  %0 = mem.descriptor %a[0, 200] : !mem.buffer<200> -> memref<200xi8>
  mem.kernel "w" defines(%0 : memref<200xi8>)
  return
}
func.func @caller() {
  // expected-note @+1 {{'a' holds 100 bytes there, at offset 0}}
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%0 : memref<100xi8>)
  // expected-error @+2 {{300 bytes are needed at step 1 ('func.call'), 50 more than the capacity of 250}}
  // expected-note @+1 {{'workspace of @leaf' holds 200 bytes there, at offset 100}}
  call @leaf() : () -> ()
  mem.kernel "r" uses(%0 : memref<100xi8>) defines(%0 : memref<100xi8>)
  return
}
