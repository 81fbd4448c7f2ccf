// Buffers that one operation accesses begin at different offsets within a page where there is room below
// the peak, so that loads of one do not wait for stores to the other. An arena may grow for that, by no
// more bytes than the option allows. The plan is checked as any other.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{spread=off})' | FileCheck %s --check-prefix=OFF
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{spread=1KiB},mem-verify-plan)' | FileCheck %s --check-prefix=PAID
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{spread=1KiB},mem-break-plan,mem-verify-plan)' 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{spread=much})' 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{dump=%t.mem})' -o %t.mlir
// RUN: mem-plan %t.mem | FileCheck %s --check-prefix=ALONE
// RUN: mem-plan %t.mem --spread off | FileCheck %s --check-prefix=ALONE-OFF

// ERROR: error: mem-plan: unknown value 'much' for option 'spread': expected off, free, or a size such as 256 or 4KiB
// BROKEN: error:

// The largest buffer is live alone, so the other two can be apart.
// CHECK-LABEL: func.func @room
// OFF-LABEL: func.func @room
// ALONE-LABEL: room
// ALONE-OFF-LABEL: room
func.func @room() {
  // CHECK: mem.arena "arena", 20000
  // CHECK: mem.view %arena[0] {alignment = 64 : i64, name = "a"}
  // CHECK: mem.view %arena[8448] {alignment = 64 : i64, name = "b"}
  // OFF: mem.view %arena[0] {alignment = 64 : i64, name = "a"}
  // OFF: mem.view %arena[8192] {alignment = 64 : i64, name = "b"}
  // ALONE: 8448
  // ALONE-OFF: 8192
  %a = mem.buffer {name = "a", alignment = 64} : !mem.buffer<8192>
  %0 = mem.descriptor %a[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "a" defines(%0 : memref<8192xi8>)
  %b = mem.buffer {name = "b", alignment = 64} : !mem.buffer<8192>
  %1 = mem.descriptor %b[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "b" uses(%0 : memref<8192xi8>) defines(%1 : memref<8192xi8>)
  mem.kernel "read" uses(%0, %1 : memref<8192xi8>, memref<8192xi8>)
  %c = mem.buffer {name = "c", alignment = 64} : !mem.buffer<20000>
  %2 = mem.descriptor %c[0, 20000] : !mem.buffer<20000> -> memref<20000xi8>
  mem.kernel "c" defines(%2 : memref<20000xi8>)
  mem.kernel "read" uses(%2 : memref<20000xi8>)
  return
}

// Every byte is taken while both are live. What is paid is no more than what helps.
// CHECK-LABEL: func.func @tight
// PAID-LABEL: func.func @tight
func.func @tight() {
  // CHECK: mem.arena "arena", 16384
  // CHECK: mem.view %arena[8192] {alignment = 64 : i64, name = "b"}
  // PAID: mem.arena "arena", 16640
  // PAID: mem.view %arena[8448] {alignment = 64 : i64, name = "b"}
  %a = mem.buffer {name = "a", alignment = 64} : !mem.buffer<8192>
  %0 = mem.descriptor %a[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "a" defines(%0 : memref<8192xi8>)
  %b = mem.buffer {name = "b", alignment = 64} : !mem.buffer<8192>
  %1 = mem.descriptor %b[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "b" uses(%0 : memref<8192xi8>) defines(%1 : memref<8192xi8>)
  mem.kernel "read" uses(%0, %1 : memref<8192xi8>, memref<8192xi8>)
  return
}

// Arguments are outside of the arena, and begin where it does within a page.
// CHECK-LABEL: func.func @argument
// PAID-LABEL: func.func @argument
func.func @argument(%arg: memref<8192xi8>) {
  // CHECK: mem.arena "arena", 8192
  // CHECK: mem.view %arena[0] {alignment = 64 : i64, name = "a"}
  // PAID: mem.arena "arena", 8448
  // PAID: mem.view %arena[256] {alignment = 64 : i64, name = "a"}
  %a = mem.buffer {name = "a", alignment = 64} : !mem.buffer<8192>
  %0 = mem.descriptor %a[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "a" uses(%arg : memref<8192xi8>) defines(%0 : memref<8192xi8>)
  mem.kernel "read" uses(%0 : memref<8192xi8>)
  return
}

// Operations that only read do not wait.
// PAID-LABEL: func.func @reads
func.func @reads() {
  // PAID: mem.arena "arena", 16384
  %a = mem.buffer {name = "a", alignment = 64} : !mem.buffer<8192>
  %0 = mem.descriptor %a[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "a" defines(%0 : memref<8192xi8>)
  %b = mem.buffer {name = "b", alignment = 64} : !mem.buffer<8192>
  %1 = mem.descriptor %b[0, 8192] : !mem.buffer<8192> -> memref<8192xi8>
  mem.kernel "b" defines(%1 : memref<8192xi8>)
  mem.kernel "read" uses(%0, %1 : memref<8192xi8>, memref<8192xi8>)
  return
}
