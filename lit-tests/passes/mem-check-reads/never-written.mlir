// Reading bytes that no path has written causes a warning, with a note at the allocation. Bytes
// that are written on only one of two paths, or that are only possibly read, cause no warning.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads)' -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: warning
// CHECK: never-written.mlir:[[#@LINE+8]]:3: warning: reads bytes [0, 4), [12, 16) of 'a', which nothing has written
// CHECK: never-written.mlir:[[#@LINE+3]]:8: note: 'a' is allocated here
// CHECK-NOT: warning
func.func @f(%p: i1, %in: memref<4xi8>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %all = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
  %middle = mem.descriptor %a[4, 8] : !mem.buffer<16> -> memref<8xi8>
  mem.kernel "w" defines(%middle : memref<8xi8>)
  mem.kernel "r" uses(%all : memref<16xi8>)
  %b = memref.alloc() : memref<4xi8>
  scf.if %p {
    memref.copy %in, %b : memref<4xi8> to memref<4xi8>
  }
  mem.kernel "sometimes" uses(%b : memref<4xi8>)
  mem.kernel "an argument" uses(%in : memref<4xi8>)
  %c = memref.alloc() : memref<4xi8>
  mem.kernel "perhaps" may_uses(%c : memref<4xi8>)
  return
}
