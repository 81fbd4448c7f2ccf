// Within a budget, parameters are updated when their gradients are known, rather than all in the end: the
// gradients need not leave the device and come back. No order lowers the peak, which is where the backward
// part begins: all activations are live there.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{noalias-arguments=true})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=gpu budget=24576 noalias-arguments=true})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=gpu budget=12288 noalias-arguments=true})' | FileCheck %s --check-prefix=EARLY
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=12288 order=auto noalias-arguments=true})' -o /dev/null

// KEPT-COUNT-5: linalg.sub
// KEPT-COUNT-5: linalg.mul
// EARLY: linalg.mul
// EARLY: linalg.sub
func.func @main(%x: memref<1024xf32>, %p1: memref<1024xf32>, %p2: memref<1024xf32>, %p3: memref<1024xf32>, %p4: memref<1024xf32>, %p5: memref<1024xf32>, %q1: memref<1024xf32>, %q2: memref<1024xf32>, %q3: memref<1024xf32>, %q4: memref<1024xf32>, %q5: memref<1024xf32>) {
  %a0 = memref.alloc() : memref<1024xf32>
  %a1 = memref.alloc() : memref<1024xf32>
  %a2 = memref.alloc() : memref<1024xf32>
  %a3 = memref.alloc() : memref<1024xf32>
  %a4 = memref.alloc() : memref<1024xf32>
  %a5 = memref.alloc() : memref<1024xf32>
  %g1 = memref.alloc() : memref<1024xf32>
  %g2 = memref.alloc() : memref<1024xf32>
  %g3 = memref.alloc() : memref<1024xf32>
  %g4 = memref.alloc() : memref<1024xf32>
  %g5 = memref.alloc() : memref<1024xf32>
  linalg.add ins(%x, %x : memref<1024xf32>, memref<1024xf32>) outs(%a0 : memref<1024xf32>)
  linalg.add ins(%a0, %x : memref<1024xf32>, memref<1024xf32>) outs(%a1 : memref<1024xf32>)
  linalg.add ins(%a1, %x : memref<1024xf32>, memref<1024xf32>) outs(%a2 : memref<1024xf32>)
  linalg.add ins(%a2, %x : memref<1024xf32>, memref<1024xf32>) outs(%a3 : memref<1024xf32>)
  linalg.add ins(%a3, %x : memref<1024xf32>, memref<1024xf32>) outs(%a4 : memref<1024xf32>)
  linalg.add ins(%a4, %x : memref<1024xf32>, memref<1024xf32>) outs(%a5 : memref<1024xf32>)
  linalg.sub ins(%a5, %a4 : memref<1024xf32>, memref<1024xf32>) outs(%g5 : memref<1024xf32>)
  linalg.sub ins(%g5, %a3 : memref<1024xf32>, memref<1024xf32>) outs(%g4 : memref<1024xf32>)
  linalg.sub ins(%g4, %a2 : memref<1024xf32>, memref<1024xf32>) outs(%g3 : memref<1024xf32>)
  linalg.sub ins(%g3, %a1 : memref<1024xf32>, memref<1024xf32>) outs(%g2 : memref<1024xf32>)
  linalg.sub ins(%g2, %a0 : memref<1024xf32>, memref<1024xf32>) outs(%g1 : memref<1024xf32>)
  linalg.mul ins(%p1, %g1 : memref<1024xf32>, memref<1024xf32>) outs(%q1 : memref<1024xf32>)
  linalg.mul ins(%p2, %g2 : memref<1024xf32>, memref<1024xf32>) outs(%q2 : memref<1024xf32>)
  linalg.mul ins(%p3, %g3 : memref<1024xf32>, memref<1024xf32>) outs(%q3 : memref<1024xf32>)
  linalg.mul ins(%p4, %g4 : memref<1024xf32>, memref<1024xf32>) outs(%q4 : memref<1024xf32>)
  linalg.mul ins(%p5, %g5 : memref<1024xf32>, memref<1024xf32>) outs(%q5 : memref<1024xf32>)
  return
}
