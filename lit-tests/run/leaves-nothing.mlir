// Compiled code leaves no files behind: unless it is disabled, LLVM's perf listener writes a dump for
// each engine to the home or temporary directory.
//
// RUN: rm -rf %t && mkdir -p %t/home %t/tmp
// RUN: env HOME=%t/home TMPDIR=%t/tmp mem-run %s --compare | FileCheck %s
// RUN: find %t -mindepth 2 | count 0
// CHECK: equal:

func.func @main(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<16xf32>
  %c1 = arith.constant 1 : index
  memref.store %v, %x[%c1] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
}
