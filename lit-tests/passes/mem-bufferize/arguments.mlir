// A result that is a changed argument is dropped, and the argument is changed in place. With
// keep-arguments, no argument is written.

// RUN: mem-opt %s --verify-diagnostics --pass-pipeline='builtin.module(mem-from-linalg-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-from-linalg-pipeline{keep-arguments=true})' 2>%t | FileCheck %s --check-prefix=KEEP
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t --allow-empty

// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[CACHE:.*]]: memref<4x8xf32>, %[[ROW:.*]]: memref<1x8xf32>, %[[AT:.*]]: index, %[[OUT:.*]]: memref<4x8xf32> {bufferize.result}) {
// CHECK-NOT: memref.alloc
// CHECK: %[[VIEW:.*]] = memref.subview %[[CACHE]][%[[AT]], 0] [1, 8] [1, 1]
// CHECK-NEXT: memref.copy %[[ROW]], %[[VIEW]]
// CHECK-NEXT: linalg.exp ins(%[[CACHE]] : memref<4x8xf32>) outs(%[[OUT]] : memref<4x8xf32>)
// CHECK-NEXT: return

// The changed cache is the first result, in the order of the results.
// KEEP-LABEL: func.func @decode(
// KEEP-SAME: %[[CACHE:.*]]: memref<4x8xf32>, %[[ROW:.*]]: memref<1x8xf32>, %[[AT:.*]]: index, %[[NEW:.*]]: memref<4x8xf32> {bufferize.result}, %[[OUT:.*]]: memref<4x8xf32> {bufferize.result}) {
// KEEP-NEXT: memref.copy %[[CACHE]], %[[NEW]]
// KEEP-NEXT: %[[VIEW:.*]] = memref.subview %[[NEW]][%[[AT]], 0]
// KEEP-NEXT: memref.copy %[[ROW]], %[[VIEW]]
// KEEP-NEXT: linalg.exp ins(%[[NEW]] : memref<4x8xf32>) outs(%[[OUT]] : memref<4x8xf32>)

// REMARK-NOT: remark: result

// expected-remark @+1 {{result 0 of 'decode' is dropped: it is argument 0}}
func.func @decode(%cache: tensor<4x8xf32>, %row: tensor<1x8xf32>, %at: index)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %new = tensor.insert_slice %row into %cache[%at, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %out = linalg.exp ins(%new : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %new, %out : tensor<4x8xf32>, tensor<4x8xf32>
}

// A single argument can be protected as well.
// CHECK-LABEL: func.func @protected(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %{{.*}}: f32, %[[OUT:.*]]: memref<8xf32> {bufferize.result}) {
// CHECK: memref.copy %[[X]], %[[OUT]]
// CHECK-NEXT: memref.store {{.*}}, %[[OUT]]
func.func @protected(%x: tensor<8xf32> {bufferization.writable = false}, %v: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %a = tensor.insert %v into %x[%c0] : tensor<8xf32>
  return %a : tensor<8xf32>
}
