// A placement has one view, whichever blocks use it. Analyses that follow views, such as `mem-run --poison`,
// would treat the bytes of a second view as different bytes. Here the block that writes the placement is not
// known to dominate the block that reads it, so the view is created at the start of the function.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%S/Inputs/one-view.hierarchy.mlir noalias-arguments=true optimize=false})' | FileCheck %s
// RUN: mem-run %s --compare --poison --pipeline-options='hierarchy=%S/Inputs/one-view.hierarchy.mlir noalias-arguments=true optimize=false' | FileCheck %s --check-prefix=RAN

// CHECK:     %[[FAR:.*]] = mem.arena "far"
// CHECK-NOT: cf.br
// CHECK:     mem.view %[[FAR]][0] {{.*}}name = "buf0"
// CHECK-NOT: mem.view %[[FAR]]
// CHECK:     mem.store async
// CHECK-NOT: mem.view %[[FAR]]
// CHECK:     return
// RAN: equal: 2 values
func.func @main(%x: memref<64xf32>, %y: memref<64xf32>, %flag: i1) {
  cf.br ^first
^first:
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
  linalg.add ins(%t, %t : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  cf.br ^second
^second:
  %u = memref.alloc() : memref<64xf32>
  linalg.exp ins(%y : memref<64xf32>) outs(%u : memref<64xf32>)
  linalg.mul ins(%u, %u : memref<64xf32>, memref<64xf32>) outs(%u : memref<64xf32>)
  linalg.sub ins(%u, %y : memref<64xf32>, memref<64xf32>) outs(%u : memref<64xf32>)
  %v = memref.alloc() : memref<64xf32>
  linalg.abs ins(%u : memref<64xf32>) outs(%v : memref<64xf32>)
  linalg.mul ins(%u, %v : memref<64xf32>, memref<64xf32>) outs(%v : memref<64xf32>)
  linalg.sub ins(%u, %v : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  cf.br ^third
^third:
  %c0 = arith.constant 0 : index
  %e = memref.load %t[%c0] : memref<64xf32>
  memref.store %e, %y[%c0] : memref<64xf32>
  return
}
