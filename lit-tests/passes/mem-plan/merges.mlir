// A merge denotes one of several buffers, or a part of one. A write through it is certain to
// overwrite only what the merge itself denotes, and a read through it keeps all of them live.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{dump=%t})' | FileCheck %s
// RUN: FileCheck %s --check-prefix=MODEL --input-file=%t
// RUN: FileCheck %s --check-prefix=INSIDE --input-file=%t

// CHECK-LABEL: func.func @select
func.func @select(%c: i1) {
  // CHECK: mem.arena "arena", 300
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %b = mem.buffer {name = "b"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
  %1 = mem.descriptor %b[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%0 : memref<100xi8>)
  mem.kernel "w" defines(%1 : memref<100xi8>)
  %s = arith.select %c, %0, %1 : memref<100xi8>
  %t = mem.buffer {name = "t"} : !mem.buffer<100>
  %2 = mem.descriptor %t[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "w" defines(%2 : memref<100xi8>)
  mem.kernel "r" uses(%s, %2 : memref<100xi8>, memref<100xi8>) may_defines(%2 : memref<100xi8>)
  return
}

// The merge spans 16 bytes, but a cast of it reaches all 64 bytes of the buffer: a write of 16 bytes
// leaves 48 live, so the model must not state how many bytes the merge denotes.
// MODEL-LABEL: program "beyond"
// MODEL: pointer p{{[0-9]+}} "merge{{[0-9]+}}" merge{{$}}
func.func @beyond(%c: i1) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<64> -> memref<16xi8>
  %1 = mem.descriptor %b[0, 16] : !mem.buffer<64> -> memref<16xi8>
  %s = arith.select %c, %0, %1 : memref<16xi8>
  mem.kernel "w" defines(%s : memref<16xi8>)
  %w = memref.reinterpret_cast %s to offset: [0], sizes: [64], strides: [1] : memref<16xi8> to memref<64xi8>
  mem.kernel "r" uses(%w : memref<64xi8>) may_defines(%w : memref<64xi8>)
  return
}
// A cast that stays within the 16 bytes is harmless.
// INSIDE-LABEL: program "inside"
// INSIDE: pointer p{{[0-9]+}} "merge{{[0-9]+}}" merge size 16
func.func @inside(%c: i1) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<64> -> memref<16xi8>
  %1 = mem.descriptor %b[0, 16] : !mem.buffer<64> -> memref<16xi8>
  %s = arith.select %c, %0, %1 : memref<16xi8>
  mem.kernel "w" defines(%s : memref<16xi8>)
  %w = memref.reinterpret_cast %s to offset: [0], sizes: [8], strides: [2] : memref<16xi8> to memref<8xi8, strided<[2]>>
  mem.kernel "r" uses(%w : memref<8xi8, strided<[2]>>) may_defines(%w : memref<8xi8, strided<[2]>>)
  return
}

// A loop carries views of different buffers at different offsets.
// CHECK-LABEL: func.func @views
func.func @views(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 300
  %a = mem.buffer {name = "a"} : !mem.buffer<100>
  %b = mem.buffer {name = "b"} : !mem.buffer<100>
  %0 = mem.descriptor %a[0, 10] : !mem.buffer<100> -> memref<10xi8, strided<[1], offset: ?>>
  %1 = mem.descriptor %b[50, 10] : !mem.buffer<100> -> memref<10xi8, strided<[1], offset: ?>>
  mem.kernel "w" defines(%0, %1 : memref<10xi8, strided<[1], offset: ?>>, memref<10xi8, strided<[1], offset: ?>>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0, %y = %1)
      -> (memref<10xi8, strided<[1], offset: ?>>, memref<10xi8, strided<[1], offset: ?>>) {
    %t = mem.buffer {name = "t"} : !mem.buffer<100>
    %2 = mem.descriptor %t[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "w" uses(%x : memref<10xi8, strided<[1], offset: ?>>) defines(%2 : memref<100xi8>)
    mem.kernel "r" uses(%2 : memref<100xi8>) may_defines(%y : memref<10xi8, strided<[1], offset: ?>>)
    scf.yield %y, %x : memref<10xi8, strided<[1], offset: ?>>, memref<10xi8, strided<[1], offset: ?>>
  }
  mem.kernel "r" uses(%r#0, %r#1 : memref<10xi8, strided<[1], offset: ?>>, memref<10xi8, strided<[1], offset: ?>>)
      may_defines(%r#0 : memref<10xi8, strided<[1], offset: ?>>)
  return
}
