// RUN: mem-opt --pass-pipeline='builtin.module(mem-tile)' --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATISTICS < %t

// An iteration of the last pooling takes two rows of the result of the first one, and four rows of
// what that one reads. Tiles of a whole iteration would compute four rows at once. Here, an iteration
// is divided into two tiles: one loop executes both, and the second of them ends the iteration.

// CHECK-LABEL: func.func @pooling
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[FIRST:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK: memref.subview %{{.*}}[0, %[[FIRST]], 0, 0] [1, 2, 64, 16]
// CHECK: linalg.exp
// CHECK: linalg.pooling_nhwc_max {{.*}} outs({{.*}} : memref<1x1x32x16xf32
// CHECK: %[[OTHERS:.*]] = arith.muli %[[I]], %{{.*}}
// CHECK: %[[SECOND:.*]] = arith.addi %[[OTHERS]], %{{.*}}
// CHECK: memref.subview %{{.*}}[0, %[[SECOND]], 0, 0] [1, 2, 64, 16]
// CHECK: linalg.exp
// CHECK: linalg.pooling_nhwc_max {{.*}} outs({{.*}} : memref<1x1x32x16xf32
// CHECK: linalg.pooling_nhwc_max {{.*}} outs({{.*}} : memref<1x1x16x16xf32
// CHECK-NEXT: }
// CHECK-NOT: linalg

// STATISTICS-DAG: 32 tiles
// STATISTICS-DAG: 0 extra
func.func @pooling(%in: memref<1x64x64x16xf32>) -> memref<1x16x16x16xf32> {
  %zero = arith.constant 0xFF800000 : f32
  %window = memref.alloc() : memref<2x2xf32>
  %exp = memref.alloc() : memref<1x64x64x16xf32>
  linalg.exp ins(%in : memref<1x64x64x16xf32>) outs(%exp : memref<1x64x64x16xf32>)
  %half = memref.alloc() : memref<1x32x32x16xf32>
  linalg.fill ins(%zero : f32) outs(%half : memref<1x32x32x16xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%exp, %window : memref<1x64x64x16xf32>, memref<2x2xf32>) outs(%half : memref<1x32x32x16xf32>)
  %quarter = memref.alloc() : memref<1x16x16x16xf32>
  linalg.fill ins(%zero : f32) outs(%quarter : memref<1x16x16x16xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%half, %window : memref<1x32x32x16xf32>, memref<2x2xf32>) outs(%quarter : memref<1x16x16x16xf32>)
  return %quarter : memref<1x16x16x16xf32>
}
