// Diagnostics for limitations of sizes known only at run time.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=1024 arena=argument})' \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

// expected-warning @+3 {{the arena's size is known only at run time: that it is within the capacity of 1024 bytes is not checked}}
// expected-remark @+2 {{@unbounded allocates its own arena: how large it is depends on sizes known only at run time}}
// CHECK-LABEL: func.func @unbounded
func.func @unbounded(%n: index) {
  // CHECK: mem.arena "arena", %
  %a = mem.buffer[%n] {name = "a"} : !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  mem.kernel "use" uses(%0 : memref<?xi8>) may_defines(%0 : memref<?xi8>)
  return
}

// -----

// The size is computed too late: the arena must already exist by then.
// CHECK-LABEL: func.func @late
func.func @late(%sizes: memref<index>, %out: memref<64xi8>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %0 = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "a" defines(%0 : memref<64xi8>)
  %n = memref.load %sizes[] : memref<index>
  // CHECK: mem.buffer[
  // expected-remark @+1 {{buffer gets no address: its size is not known before buffers are needed}}
  %b = mem.buffer[%n] {name = "b"} : !mem.buffer<?>
  %1 = mem.descriptor %b[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "b" uses(%0 : memref<64xi8>) defines(%1 : memref<?xi8>)
  mem.kernel "use" uses(%0, %1 : memref<64xi8>, memref<?xi8>) defines(%out : memref<64xi8>)
  return
}
