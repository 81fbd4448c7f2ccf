// Storage that is freed too early, twice, or not as the caller expects: each mistake is found.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/frees.mlir})' -o %t 2>&1 | FileCheck %s

func.func private @tensor() -> memref<16xf32>

// CHECK: frees-different.mlir:[[#@LINE+9]]:{{.*}} error: mem-validate: in @main, bytes are accessed that have been freed
// CHECK: frees-different.mlir:[[#@LINE+7]]:{{.*}} note: it is freed here
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.dealloc %arena : memref<128xi8>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// CHECK: frees-different.mlir:[[#@LINE+5]]:{{.*}} error: mem-validate: in @outside, what is exchanged with other ranks, or freed for the caller, differs from the original
func.func @outside(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = call @tensor() : () -> memref<16xf32>
  linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

// CHECK: error: mem-validate: in @carried, storage is freed twice
func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<16xf32>
  memref.copy %x, %first : memref<16xf32> to memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> memref<16xf32> {
    %next = memref.alloc() : memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%next : memref<16xf32>)
    memref.dealloc %first : memref<16xf32>
    scf.yield %next : memref<16xf32>
  }
  memref.copy %last, %y : memref<16xf32> to memref<16xf32>
  return
}

// The place of the tensor is known only at run time.
// CHECK: error: mem-validate: in @placed, bytes are accessed that have been freed
func.func @placed(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c64 = arith.constant 64 : index
  %size = arith.addi %n, %c64 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%n][] : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.dealloc %arena : memref<?xi8>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
