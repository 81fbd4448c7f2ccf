// The check finds operations that read the source of a copy in another order, or after it has been overwritten.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=wrong-order})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=late-read noalias-arguments=true})' 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{break=wrong-order target=time hierarchy=npu})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTHING

// ORDER: copies-broken.mlir:[[# @LINE + 14]]:3: error: internal error in mem-tile: operand 1 of an operation that reads the source of a copy is another element; please report it
// LATE: copies-broken.mlir:[[# @LINE + 16]]:3: error: internal error in mem-tile: the source of a copy may be overwritten by 'linalg.fill' before it is read; please report it
// NOTHING: remark: mem-tile: there is nothing to break: wrong-order

func.func @main(%x: memref<4x8xf32>, %w: memref<8x8xf32>, %v: memref<8x8xf32>, %first: memref<4x8xf32>, %second: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<4x8xf32>
  %z = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<4x8xf32>)
  linalg.fill ins(%zero : f32) outs(%z : memref<4x8xf32>)
  %t = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%w : memref<8x8xf32>) outs(%t : memref<8x8xf32>) permutation = [1, 0]
  %u = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%v : memref<8x8xf32>) outs(%u : memref<8x8xf32>) permutation = [1, 0]
  linalg.matmul ins(%x, %t : memref<4x8xf32>, memref<8x8xf32>) outs(%y : memref<4x8xf32>)
  memref.copy %y, %first : memref<4x8xf32> to memref<4x8xf32>
  linalg.fill ins(%zero : f32) outs(%v : memref<8x8xf32>)
  linalg.matmul ins(%x, %u : memref<4x8xf32>, memref<8x8xf32>) outs(%z : memref<4x8xf32>)
  memref.copy %z, %second : memref<4x8xf32> to memref<4x8xf32>
  return
}
