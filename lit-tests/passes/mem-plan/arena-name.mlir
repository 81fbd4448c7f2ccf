// The name of the function that would return the arena's requirements is already taken.

// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan{arena=argument})' 2>&1 | FileCheck %s

func.func private @net_arena()

// CHECK: arena-name.mlir:[[#@LINE+1]]:1: error: mem-plan: there is a '@net_arena' already
func.func @net(%x: memref<32xf32>, %y: memref<32xf32>) {
  %t = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%t : memref<32xf32>)
  linalg.tanh ins(%t : memref<32xf32>) outs(%y : memref<32xf32>)
  return
}
