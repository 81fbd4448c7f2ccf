// Blocks may be printed in any order: a definition must dominate its uses, but need not be printed before them.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=4096})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-plan)' | mem-opt --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mlir})'

// CHECK-LABEL: func.func @main
// CHECK: memref.load
func.func @main(%a : memref<8xf32>, %b : memref<8xf32>) {
  %c0 = arith.constant 0 : index
  cf.br ^bb2
^bb1:
  memref.store %v, %b[%c0] : memref<8xf32>
  return
^bb2:
  %v = memref.load %a[%c0] : memref<8xf32>
  cf.br ^bb1
}

// A loop printed in reverse order: every tensor is defined in a block that is printed after its users.
// CHECK-LABEL: func.func @reversed
// CHECK-NOT: memref.alloc() : memref<64xf32>
func.func @reversed(%x : memref<64xf32>, %n : index, %out : memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^start
^end:
  linalg.exp ins(%t : memref<64xf32>) outs(%out : memref<64xf32>)
  return
^next(%j : index):
  %k = arith.addi %j, %c1 : index
  linalg.exp ins(%u : memref<64xf32>) outs(%t : memref<64xf32>)
  cf.br ^test(%k : index)
^body:
  %u = memref.alloc() : memref<64xf32>
  linalg.exp ins(%t : memref<64xf32>) outs(%u : memref<64xf32>)
  cf.br ^next(%i : index)
^test(%i : index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^start:
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
  cf.br ^test(%c0 : index)
}
