// One plan for all sizes: the results are the same bits as without it.
//
// RUN: mem-opt %models/bufferized/resnet50_logits_bdyn.mlir --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t.mlir
// RUN: grep -c "= mem.arena" %t.mlir | grep -x 1
// RUN: mem-run %models/bufferized/resnet50_logits_bdyn.mlir --compare -O1 --dim 1 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: mem-run %models/bufferized/resnet50_logits_bdyn.mlir --compare -O1 --dim 2 | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: mem-run %s --compare -O0 --dim 1 | FileCheck %s
// RUN: mem-run %s --compare -O0 --dim 2 | FileCheck %s
// RUN: mem-run %s --compare -O0 --dim 7 | FileCheck %s
// RUN: mem-run %s --compare -O0 --dim 100 | FileCheck %s

// The arena for a size of two is twice as large as for a size of one.
// ONE: planned {{.*}} 7225344 1{{$}}
// TWO: planned {{.*}} 14450688 1{{$}}
// CHECK-NOT: fault
// CHECK: equal: {{[0-9]+}} values

// Two unknown sizes that are equal here, a loop-carried state, tiles of at most 32, and a product.
func.func @main(%in: memref<?x5xf32>, %weights: memref<5x?xf32>, %out: memref<?x?xf32>, %sums: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %in, %c0 : memref<?x5xf32>
  %m = memref.dim %weights, %c1 : memref<5x?xf32>
  %x = memref.alloc(%n) : memref<?x5xf32>
  linalg.exp ins(%in : memref<?x5xf32>) outs(%x : memref<?x5xf32>)
  %y = memref.alloc(%n, %m) {alignment = 64} : memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<?x?xf32>)
  linalg.matmul ins(%x, %weights : memref<?x5xf32>, memref<5x?xf32>) outs(%y : memref<?x?xf32>)
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%old = %y) -> (memref<?x?xf32>) {
    %new = memref.alloc(%n, %m) : memref<?x?xf32>
    linalg.add ins(%old, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%new : memref<?x?xf32>)
    scf.yield %new : memref<?x?xf32>
  }
  %total = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%total : memref<f32>)
  scf.for %i = %c0 to %n step %c32 {
    %k = affine.min affine_map<(d0)[s0] -> (32, s0 - d0)>(%i)[%n]
    %rows = memref.alloc(%k) : memref<?xf32>
    linalg.fill ins(%zero : f32) outs(%rows : memref<?xf32>)
    %part = memref.subview %last[%i, 0] [%k, %m] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    linalg.reduce ins(%part : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%rows : memref<?xf32>) dimensions = [1]
      (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }
    %to = memref.subview %sums[%i] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.copy %rows, %to : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  }
  linalg.exp ins(%last : memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  return
}
