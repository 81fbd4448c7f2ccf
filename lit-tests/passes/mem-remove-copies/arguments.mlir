// Two targets may be two arguments that alias: what is written last must stay last.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-remove-copies)' | FileCheck %s

// CHECK-LABEL: func.func @two_arguments
// CHECK: mem.kernel "s" defines(%arg1
// CHECK: mem.kernel "t" defines(%arg2
// CHECK-NOT: memref.copy
// CHECK: return
func.func @two_arguments(%in: memref<8xf32>, %a: memref<8xf32>, %b: memref<8xf32>) {
  %s = mem.buffer {name = "s"} : !mem.buffer<32>
  %t = mem.buffer {name = "t"} : !mem.buffer<32>
  %ds = mem.descriptor %s[0, 32] : !mem.buffer<32> -> memref<8xf32>
  %dt = mem.descriptor %t[0, 32] : !mem.buffer<32> -> memref<8xf32>
  mem.kernel "s" defines(%ds : memref<8xf32>)
  mem.kernel "t" defines(%dt : memref<8xf32>)
  memref.copy %ds, %a : memref<8xf32> to memref<8xf32>
  memref.copy %dt, %b : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: func.func @other_order
// CHECK: mem.kernel "s" defines(%[[S:.*]] :
// CHECK: mem.kernel "t" defines(%arg2
// CHECK-NEXT: memref.copy %[[S]], %arg1
func.func @other_order(%in: memref<8xf32>, %a: memref<8xf32>, %b: memref<8xf32>) {
  %s = mem.buffer {name = "s"} : !mem.buffer<32>
  %t = mem.buffer {name = "t"} : !mem.buffer<32>
  %ds = mem.descriptor %s[0, 32] : !mem.buffer<32> -> memref<8xf32>
  %dt = mem.descriptor %t[0, 32] : !mem.buffer<32> -> memref<8xf32>
  mem.kernel "s" defines(%ds : memref<8xf32>)
  mem.kernel "t" defines(%dt : memref<8xf32>)
  memref.copy %dt, %b : memref<8xf32> to memref<8xf32>
  memref.copy %ds, %a : memref<8xf32> to memref<8xf32>
  return
}

// Either copy can be removed, but not both: the first value would then be read from the first target after the second value
// has been computed in the second target.
// CHECK-LABEL: func.func @read_between
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @read_between(%a: memref<8xf32>, %b: memref<8xf32>) {
  %s = mem.buffer {name = "s"} : !mem.buffer<32>
  %t = mem.buffer {name = "t"} : !mem.buffer<32>
  %ds = mem.descriptor %s[0, 32] : !mem.buffer<32> -> memref<8xf32>
  %dt = mem.descriptor %t[0, 32] : !mem.buffer<32> -> memref<8xf32>
  mem.kernel "s" defines(%ds : memref<8xf32>)
  memref.copy %ds, %a : memref<8xf32> to memref<8xf32>
  mem.kernel "t" defines(%dt : memref<8xf32>)
  mem.kernel "look" uses(%ds : memref<8xf32>)
  memref.copy %dt, %b : memref<8xf32> to memref<8xf32>
  return
}
