// Storage that is freed, in the original, in an arena, and in each iteration.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/frees.mlir})' -o %t 2>&1 | count 0
// RUN: mem-opt %S/inputs/frees.mlir --pass-pipeline='builtin.module(mem-to-memref-pipeline)' 2>&1 | FileCheck %s
//
// CHECK-NOT: is not validated
// CHECK-LABEL: func.func @main
// CHECK: memref.dealloc {{.*}} : memref<64xi8>
// CHECK-LABEL: func.func @outside
// CHECK: memref.dealloc {{.*}} : memref<16xf32>
// CHECK: memref.dealloc %arg0 : memref<16xf32>

func.func private @tensor() -> memref<16xf32>

func.func @main(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

func.func @outside(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = call @tensor() : () -> memref<16xf32>
  linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %x : memref<16xf32>
  return
}

func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<16xf32>
  memref.copy %x, %first : memref<16xf32> to memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> memref<16xf32> {
    %next = memref.alloc() : memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%next : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
    scf.yield %next : memref<16xf32>
  }
  memref.copy %last, %y : memref<16xf32> to memref<16xf32>
  memref.dealloc %last : memref<16xf32>
  return
}

func.func @placed(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c64 = arith.constant 64 : index
  %size = arith.addi %n, %c64 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%n][] : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %arena : memref<?xi8>
  return
}
