// Every address is a multiple of the alignments required by the buffer, its elements, its level and
// the option; the arena has the strictest of them. Padding counts: 1 + 63 + 64 bytes.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue alignment=256})' | FileCheck %s --check-prefix=OPTION

// CHECK-LABEL: func.func @padding
// OPTION-LABEL: func.func @padding
func.func @padding() {
  // CHECK: mem.arena "arena", 128 {alignment = 64 : i64, strategy = "lifetime-queue"}
  // OPTION: mem.arena "arena", 320 {alignment = 256 : i64, proven_bound = 257 : i64, strategy = "lifetime-queue"}
  // CHECK: mem.view %arena[0] {alignment = 1 : i64, name = "a"}
  // OPTION: mem.view %arena[0] {alignment = 256 : i64, name = "a"}
  %a = mem.buffer {name = "a"} : !mem.buffer<1>
  %0 = mem.descriptor %a[0, 1] : !mem.buffer<1> -> memref<1xi8>
  mem.kernel "a" defines(%0 : memref<1xi8>)
  // CHECK: mem.view %arena[64] {alignment = 64 : i64, name = "b"}
  // OPTION: mem.view %arena[256] {alignment = 256 : i64, name = "b"}
  %b = mem.buffer {name = "b", alignment = 64} : !mem.buffer<64>
  %1 = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "b" uses(%0 : memref<1xi8>) defines(%1 : memref<64xi8>)
  mem.kernel "c" uses(%0, %1 : memref<1xi8>, memref<64xi8>) defines(%1 : memref<64xi8>)
  return
}

// Code that loads a float expects an address that is a multiple of four.
// CHECK-LABEL: func.func @elements
func.func @elements() {
  // CHECK: mem.arena "arena", 8 {alignment = 4 : i64, strategy = "lifetime-queue"}
  %a = mem.buffer {name = "a"} : !mem.buffer<1>
  %0 = mem.descriptor %a[0, 1] : !mem.buffer<1> -> memref<1xi8>
  mem.kernel "a" defines(%0 : memref<1xi8>)
  // CHECK: mem.view %arena[4] {alignment = 4 : i64, name = "b"}
  %b = mem.buffer {name = "b"} : !mem.buffer<4>
  %1 = mem.descriptor %b[0, 4] : !mem.buffer<4> -> memref<f32>
  mem.kernel "b" uses(%0 : memref<1xi8>) defines(%1 : memref<f32>)
  mem.kernel "c" uses(%1 : memref<f32>) defines(%0 : memref<1xi8>)
  return
}
