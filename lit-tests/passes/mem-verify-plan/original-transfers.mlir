// An inserted transfer copies bytes of a tensor from one of its placements to another. A transfer to a
// different part of the tensor would change the tensor, and so would omitting an operation of the original.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/right.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/original.mlir})' -o /dev/null
// RUN: not mem-opt %t/wrong.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/original.mlir})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: wrong.mlir:[[#]]:[[#]]: error: this 'mem.load' is not what the original program has here
//
// The original's own transfers may copy any bytes to any location.
// RUN: mem-opt %t/wrong.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/own.mlir})' -o /dev/null

// Waiting for the original's own transfer is not added either.
// RUN: mem-opt %t/waits.mlir --pass-pipeline='builtin.module(mem-plan,mem-verify-plan{original=%t/waits.mlir})' -o /dev/null
// RUN: mem-opt %t/waits.mlir --pass-pipeline='builtin.module(mem-plan)' | sed 's/mem.wait %\([a-z0-9]*\)/&\n    &/' > %t/twice.mlir
// RUN: not mem-opt %t/twice.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/waits.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.mlir:[[#]]:[[#]]: error: this 'mem.wait' is not what the original program has here

//--- original.mlir
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %all = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%all : memref<16xf32>)
  memref.copy %all, %out : memref<16xf32> to memref<16xf32>
  return
}

//--- own.mlir
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %all = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %low = mem.descriptor %a[0, 32] : !mem.buffer<64> -> memref<8xf32>
  %high = mem.descriptor %a[32, 32] : !mem.buffer<64> -> memref<8xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%all : memref<16xf32>)
  mem.load %low to %high : memref<8xf32> to memref<8xf32>
  memref.copy %all, %out : memref<16xf32> to memref<16xf32>
  return
}

//--- right.mlir
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %l1 = mem.arena "l1", 32 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %all = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %low = mem.descriptor %a[0, 32] : !mem.buffer<64> -> memref<8xf32>
  %same = mem.descriptor %b[0, 32] : !mem.buffer<64> -> memref<8xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%all : memref<16xf32>)
  mem.load %low to %same : memref<8xf32> to memref<8xf32>
  memref.copy %all, %out : memref<16xf32> to memref<16xf32>
  return
}

//--- wrong.mlir
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %all = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %low = mem.descriptor %a[0, 32] : !mem.buffer<64> -> memref<8xf32>
  %high = mem.descriptor %a[32, 32] : !mem.buffer<64> -> memref<8xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%all : memref<16xf32>)
  mem.load %low to %high : memref<8xf32> to memref<8xf32>
  memref.copy %all, %out : memref<16xf32> to memref<16xf32>
  return
}

//--- waits.mlir
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %all = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %token = mem.load async %in to %all : memref<16xf32> to memref<16xf32>
  mem.wait %token
  memref.copy %all, %out : memref<16xf32> to memref<16xf32>
  return
}
