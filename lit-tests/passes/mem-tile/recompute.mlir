// Rows that two tiles need are computed by both, if that takes no more operations than allowed.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{overlap=recompute extra-work=100})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{overlap=recompute extra-work=20})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{overlap=recompute extra-work=0})' | FileCheck %s --check-prefix=NONE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{overlap=keep extra-work=100})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: mem-run --compare -O0 --pipeline-options='tile=peak extra-work=100' %s | FileCheck %s --check-prefix=EQUAL

// Each tile reads three rows of the argument, and nothing is copied from tile to tile.
// CHECK-LABEL: func.func @main
// CHECK: scf.for %[[TILE:[a-z0-9]*]] =
// CHECK: memref.subview %{{.*}}[0, %[[TILE]], 0] [1, 3, 4]
// CHECK: linalg.exp {{.*}}ins({{.*}}) outs({{.*}} : memref<1x3x4xf32>)
// CHECK: linalg.pooling_nwc_sum {{.*}} outs({{.*}})
// CHECK-NEXT: }
// CHECK-NEXT: memref.copy

// Larger tiles repeat less.
// SOME: (S) {{ *}}1 groups
// SOME: (S) {{ *}}{{([1-9]|1[0-9]|20)}} extra

// Channels have no neighbors.
// NONE: scf.for
// NONE: linalg.exp {{.*}} outs({{.*}} : memref<1x34x1xf32>)

// KEEP: (S) {{ *}}1 groups
// KEEP: (S) {{ *}}0 extra

// EQUAL: equal: {{[0-9]+}} values

func.func @main(%x: memref<1x34x4xf32>, %out: memref<1x32x4xf32>) {
  %c = arith.constant 0.0 : f32
  %shape = memref.alloc() : memref<3xf32>
  %a = memref.alloc() : memref<1x34x4xf32>
  linalg.exp ins(%x : memref<1x34x4xf32>) outs(%a : memref<1x34x4xf32>)
  %p = memref.alloc() : memref<1x32x4xf32>
  linalg.fill ins(%c : f32) outs(%p : memref<1x32x4xf32>)
  linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %shape : memref<1x34x4xf32>, memref<3xf32>) outs(%p : memref<1x32x4xf32>)
  memref.copy %p, %out : memref<1x32x4xf32> to memref<1x32x4xf32>
  return
}
