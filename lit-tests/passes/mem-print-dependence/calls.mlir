// The effects of callees on their arguments, as seen by their callers.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-dependence{output=-})' -o /dev/null | FileCheck %s

// The callee reads the second quarter and overwrites the first half on every path. In the rest, it
// reads only bytes that it has written itself.
func.func private @callee(%a: memref<32xi8>, %b: memref<8xi8>, %p: i1) {
  %c0 = arith.constant 0 : index
  %quarter = memref.subview %a[8] [8] [1] : memref<32xi8> to memref<8xi8, strided<[1], offset: 8>>
  %half = memref.subview %a[0] [16] [1] : memref<32xi8> to memref<16xi8, strided<[1]>>
  %rest = memref.subview %a[16] [16] [1] : memref<32xi8> to memref<16xi8, strided<[1], offset: 16>>
  mem.kernel "look" uses(%quarter : memref<8xi8, strided<[1], offset: 8>>)
  scf.if %p {
    mem.kernel "all" defines(%a : memref<32xi8>)
    mem.kernel "again" uses(%rest : memref<16xi8, strided<[1], offset: 16>>)
  } else {
    mem.kernel "half" defines(%half : memref<16xi8, strided<[1]>>)
  }
  return
}

// CHECK-LABEL: @caller
// CHECK: s1 before
// CHECK-NEXT: define a[0, 8) -> dead
// CHECK: s2 before
// CHECK-NEXT: define a[8, 16) -> s4
// CHECK: s3 before
// CHECK-NEXT: define a[16, 32) -> s5
// CHECK: s4 func.call
// CHECK-NEXT: use a[8, 16)? <- s2 a[8, 16)
// CHECK: s5 after
// CHECK-NEXT: use a[0, 32) <- s3 a[16, 32), s4{{.*}} a[0, 16){{.*}}
func.func @caller(%p: i1) {
  %a = mem.buffer {name = "a"} : !mem.buffer<32>
  %b = mem.buffer {name = "b"} : !mem.buffer<8>
  %all = mem.descriptor %a[0, 32] : !mem.buffer<32> -> memref<32xi8>
  %first = mem.descriptor %a[0, 8] : !mem.buffer<32> -> memref<8xi8>
  %second = mem.descriptor %a[8, 8] : !mem.buffer<32> -> memref<8xi8>
  %rest = mem.descriptor %a[16, 16] : !mem.buffer<32> -> memref<16xi8>
  %other = mem.descriptor %b[0, 8] : !mem.buffer<8> -> memref<8xi8>
  mem.kernel "zero" defines(%other : memref<8xi8>)
  mem.kernel "before" defines(%first : memref<8xi8>)
  mem.kernel "before" defines(%second : memref<8xi8>)
  mem.kernel "before" defines(%rest : memref<16xi8>)
  call @callee(%all, %other, %p) : (memref<32xi8>, memref<8xi8>, i1) -> ()
  mem.kernel "after" uses(%all : memref<32xi8>)
  return
}
