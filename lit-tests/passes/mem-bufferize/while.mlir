// What a loop carries in memory that is not its own is copied: upstream's bufferization would write over
// it. lit-tests/run/carried-tensors.mlir runs such loops.

// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-from-linalg-pipeline)' | FileCheck %s

// A tensor from outside of the loop.
// CHECK-LABEL: func.func @outside(
// CHECK-SAME: %{{.*}}: memref<8xf32>, %[[KEEP:[a-z0-9]+]]: memref<8xf32>,
// CHECK: } do {
// CHECK: %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[KEEP]], %[[COPY]]
// CHECK-NEXT: scf.yield %[[COPY]],
func.func @outside(%x: tensor<8xf32>, %keep: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%a = %x, %i = %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %i : tensor<8xf32>, index
  } do {
  ^bb0(%b: tensor<8xf32>, %j: index):
    %k = arith.addi %j, %c1 : index
    scf.yield %keep, %k : tensor<8xf32>, index
  }
  return %r#0 : tensor<8xf32>
}

// -----

// Neither the loop's own memory nor new memory is copied.
// CHECK-LABEL: func.func @own(
// CHECK: } do {
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4x4xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.matmul {{.*}} outs(%[[NEW]]
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[NEW]],
func.func @own(%x: tensor<4x4xf32>, %z: tensor<4x4xf32>, %v: f32, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%a = %x, %s = %z, %i = %c0) : (tensor<4x4xf32>, tensor<4x4xf32>, index) -> (tensor<4x4xf32>, tensor<4x4xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %s, %i : tensor<4x4xf32>, tensor<4x4xf32>, index
  } do {
  ^bb0(%b: tensor<4x4xf32>, %t: tensor<4x4xf32>, %j: index):
    %empty = tensor.empty() : tensor<4x4xf32>
    %zero = linalg.fill ins(%v : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
    %c = linalg.matmul ins(%b, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    %u = tensor.insert %v into %t[%c0, %c1] : tensor<4x4xf32>
    %k = arith.addi %j, %c1 : index
    scf.yield %c, %u, %k : tensor<4x4xf32>, tensor<4x4xf32>, index
  }
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}
