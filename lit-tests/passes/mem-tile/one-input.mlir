// Operations whose operands are not segmented are divided as well: transposes, broadcasts, reductions
// and maps. The tensor that is transposed is the function's own, so that its copy is not read where it is.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-run --compare -O0 --pipeline-options 'tile=peak' %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal

// CHECK: scf.for
// CHECK: linalg.transpose ins(%{{.*}} : memref<64x1xf32>) outs(%{{.*}} : memref<1x64xf32>) permutation = [1, 0]
// CHECK: linalg.map { math.exp } ins(%{{.*}} : memref<1x64xf32>) outs(%{{.*}} : memref<1x64xf32>)
// CHECK: linalg.reduce { arith.addf } ins(%{{.*}} : memref<1x64xf32>) outs(%{{.*}}) dimensions = [1]
// CHECK: linalg.broadcast ins(%{{.*}}) outs(%{{.*}} : memref<1x64xf32>) dimensions = [1]
// CHECK: }
func.func @main(%x: memref<64x64xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<64x64xf32>
  linalg.map { math.exp } ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  %a = memref.alloc() : memref<64x64xf32>
  linalg.transpose ins(%y : memref<64x64xf32>) outs(%a : memref<64x64xf32>) permutation = [1, 0]
  %b = memref.alloc() : memref<64x64xf32>
  linalg.map { math.exp } ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%b : memref<64x64xf32>) outs(%c : memref<64xf32>) dimensions = [1]
  %d = memref.alloc() : memref<64x64xf32>
  linalg.broadcast ins(%c : memref<64xf32>) outs(%d : memref<64x64xf32>) dimensions = [1]
  %e = memref.alloc() : memref<64x64xf32>
  linalg.add ins(%d, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%e : memref<64x64xf32>)
  %f = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%f : memref<64xf32>)
  linalg.reduce { arith.maximumf } ins(%e : memref<64x64xf32>) outs(%f : memref<64xf32>) dimensions = [1]
  memref.copy %f, %out : memref<64xf32> to memref<64xf32>
  return
}
