// Loops in loops: what an inner loop leaves alone is what it was before, in each iteration of the outer one.
// The originals are in inputs/nests.mlir.
//
// RUN: mem-opt %S/inputs/nests.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/nests.mlir noalias-arguments})' -o %t
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/nests.mlir noalias-arguments})' -o %t 2>&1 | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/nests.mlir})' -o %t 2>&1 | FileCheck %s --check-prefix=MEMORY

// The inner loop does not restore %t.
// CHECK: error: mem-validate: in @restored, operand 2 differs from the original, in bytes [0, 16) of a value
func.func @restored(%x: memref<4xf32>, %z: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloc() : memref<4xf32>
  linalg.copy ins(%z : memref<4xf32>) outs(%t : memref<4xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      linalg.add ins(%t, %t : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
    }
    linalg.copy ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  }
  return
}

// %s is in the bytes of %t, and the inner loop overwrites it.
// CHECK: warning: mem-validate: @passed is not validated: what it is depends on which bytes are accessed at run time
func.func @passed(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.tanh ins(%t : memref<4xf32>) outs(%t : memref<4xf32>)
    scf.for %j = %c0 to %c8 step %c1 {
      linalg.add ins(%t, %t : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
    }
    linalg.abs ins(%t : memref<4xf32>) outs(%t : memref<4xf32>)
  }
  linalg.copy ins(%t : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// Each iteration reads what only the first one may.
// CHECK: error: mem-validate: in @external, operand 0 differs from the original
// MEMORY: error: mem-validate: in @external, memory at the end differs from the original
func.func @external(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  cf.br ^head
^head:
  linalg.exp ins(%t : memref<4xf32>) outs(%y : memref<4xf32>)
  linalg.tanh ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  cf.cond_br %p, ^head, ^exit
^exit:
  return
}
