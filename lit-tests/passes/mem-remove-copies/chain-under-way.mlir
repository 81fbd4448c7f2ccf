// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' | FileCheck %s

// An asynchronous transfer to `last` is in flight when `part` is defined, but not when `whole` is, which becomes part of `last`.
// CHECK-LABEL: func.func @last_target_under_way
// CHECK: mem.store async
// CHECK: mem.kernel "make"
// CHECK: mem.wait
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @last_target_under_way(%in: memref<16xf32>, %out: memref<16xf32> {bufferize.result}, %v: f32) {
  %last = memref.alloc() : memref<16xf32>
  %t = mem.store async %in to %last : memref<16xf32> to memref<16xf32>
  %part = memref.alloc() : memref<4xf32>
  mem.kernel "make" defines(%part : memref<4xf32>)
  mem.wait %t
  %whole = memref.alloc() : memref<8xf32>
  %left = memref.subview %whole[0] [4] [1] : memref<8xf32> to memref<4xf32>
  linalg.fill ins(%v : f32) outs(%left : memref<4xf32>)
  %right = memref.subview %whole[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %part, %right : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %in_last = memref.subview %last[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %whole, %in_last : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  mem.kernel "read" uses(%last : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}
