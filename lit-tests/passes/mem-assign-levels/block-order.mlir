// Blocks may be printed in any order. Here the join of two branches is printed before one
// of the branches. Transfers are placed by control flow, not by the order of the blocks.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%S/Inputs/block-order.hierarchy.mlir noalias-arguments=true})' | FileCheck %s

// CHECK-LABEL: func.func @meet
// CHECK:         cf.cond_br %{{.*}}, ^[[FIRST:.*]], ^[[SECOND:.*]]
// CHECK:       ^[[SECOND]]:
// CHECK-NOT:     mem.load
// CHECK:         cf.br ^[[MEET:[a-z0-9]*]]
// CHECK:       ^[[FIRST]]:
// CHECK:         mem.load %arg0 to %[[IN:.*]] :
// CHECK:         linalg.sub ins(%[[IN]], %[[IN]]
// CHECK:         cf.br ^[[MEET]]
func.func @meet(%in: memref<8xf32>, %out: memref<8xf32>, %flag: i1) {
  cf.cond_br %flag, ^first, ^second
^second:
  %b = memref.alloc() : memref<3xf32>
  cf.br ^meet(%b : memref<3xf32>)
^meet(%c: memref<3xf32>):
  return
^first:
  linalg.sub ins(%in, %in : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.mul ins(%in, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.div ins(%in, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.max ins(%in, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  %a = memref.alloc() : memref<3xf32>
  cf.br ^meet(%a : memref<3xf32>)
}
