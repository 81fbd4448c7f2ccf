// Functions on tensors become functions on memrefs: results are arguments, or dropped if they are
// arguments. Functions on memrefs stay as they are, whatever they return.

// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-from-linalg-pipeline)' | FileCheck %s
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-bufferize)' | FileCheck %s

// A result is computed in its argument, and only the intermediate value has an allocation.
// CHECK-LABEL: func.func @network(
// CHECK-SAME: %[[X:.*]]: memref<4x4xf32>, %[[OUT:.*]]: memref<4x4xf32> {bufferize.result}) {
// CHECK-NEXT: %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT: linalg.exp ins(%[[X]] : memref<4x4xf32>) outs(%[[A]] : memref<4x4xf32>)
// CHECK-NEXT: linalg.matmul ins(%[[A]], %[[X]] : memref<4x4xf32>, memref<4x4xf32>) outs(%[[OUT]] : memref<4x4xf32>)
// CHECK-NEXT: return
func.func @network(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %empty = tensor.empty() : tensor<4x4xf32>
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// -----

// Several results, one of which is a number: that one stays.
// CHECK-LABEL: func.func @several(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[A:.*]]: memref<8xf32> {bufferize.result}, %[[B:.*]]: memref<8xf32> {bufferize.result}) -> f32 {
// CHECK-DAG: linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[A]] : memref<8xf32>)
// CHECK-DAG: linalg.exp ins(%[[A]] : memref<8xf32>) outs(%[[B]] : memref<8xf32>)
// CHECK: return %{{.*}} : f32
func.func @several(%x: tensor<8xf32>) -> (tensor<8xf32>, f32, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %empty = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %n = tensor.extract %a[%c0] : tensor<8xf32>
  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %a, %n, %b : tensor<8xf32>, f32, tensor<8xf32>
}

// -----

// One value is two results: it is computed in the first one, and copied to the second one. Upstream's
// conversion crashes.
// CHECK-LABEL: func.func @one_value(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[A:.*]]: memref<8xf32> {bufferize.result}, %[[B:.*]]: memref<8xf32> {bufferize.result}) {
// CHECK-NEXT: linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[A]] : memref<8xf32>)
// CHECK-NEXT: memref.copy %[[A]], %[[B]]
// CHECK-NEXT: return
func.func @one_value(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %empty = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %a, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

// The same with a shape that is known only at run time.
// CHECK-LABEL: func.func @one_value_of_any_size(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[A:.*]]: memref<?xf32> {bufferize.result}, %[[B:.*]]: memref<?xf32> {bufferize.result}) {
// CHECK: linalg.exp ins(%[[X]] : memref<?xf32>) outs(%[[C:.*]] : memref<?xf32>)
// CHECK-DAG: memref.copy %[[C]], %[[A]]
// CHECK-DAG: memref.copy %[[C]], %[[B]]
// CHECK: return
func.func @one_value_of_any_size(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %a, %a : tensor<?xf32>, tensor<?xf32>
}

// -----

// Each iteration yields a new allocation. Upstream's bufferization refuses that by default.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[N:.*]]: index, %[[OUT:.*]]: memref<8xf32> {bufferize.result}) {
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (memref<8xf32>) {
// CHECK-NEXT: %[[NEW:.*]] = memref.alloc()
// CHECK: scf.yield %[[NEW]] : memref<8xf32>
// CHECK: memref.copy %{{.*}}, %[[OUT]]
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %empty = tensor.empty() : tensor<8xf32>
    %c = linalg.generic {
        indexing_maps = [affine_map<(d) -> (7 - d)>, affine_map<(d) -> (d)>],
        iterator_types = ["parallel"]}
        ins(%a : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.negf %p : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Callers allocate the results of private functions.
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME: memref<8xf32>, %{{.*}}: memref<8xf32> {bufferize.result}) {
// CHECK-LABEL: func.func @caller(
// CHECK: %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: call @callee(%{{.*}}, %[[A]]) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: call @callee(%[[A]], %[[B]]) : (memref<8xf32>, memref<8xf32>) -> ()
func.func private @callee(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}
func.func @caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = call @callee(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// The size of a result of run-time shape is unknown to callers, so the result is returned.
// CHECK-LABEL: func.func private @of_any_size(
// CHECK-SAME: %{{.*}}: memref<?xf32>) -> memref<?xf32> {
// CHECK-LABEL: func.func @calls_it(
// CHECK-SAME: %{{.*}}: memref<?xf32>, %[[OUT:.*]]: memref<?xf32> {bufferize.result}) {
// CHECK-NEXT: %[[A:.*]] = call @of_any_size
// CHECK-NEXT: memref.copy %[[A]], %[[OUT]]
func.func private @of_any_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
func.func @calls_it(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = call @of_any_size(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

// Functions without tensors do not change in any way beside those with tensors: neither their
// results, nor what canonicalization would remove.
// CHECK-LABEL: func.func private @external() -> memref<8xf32>
// CHECK-LABEL: func.func private @returns_its_argument(
// CHECK-SAME: %[[M:.*]]: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT: return %[[M]] : memref<8xf32>
// CHECK-LABEL: func.func @returns_an_allocation() -> memref<8xf32> {
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: %[[DEAD:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: %[[B:.*]] = memref.cast %[[A]]
// CHECK-NEXT: %[[C:.*]] = memref.cast %[[B]]
// CHECK-NEXT: return %[[C]]
// CHECK-LABEL: func.func @mixed(
// CHECK-SAME: %{{.*}}: memref<8xf32>, %[[OUT:.*]]: memref<8xf32> {bufferize.result}) {
// CHECK-NEXT: %[[E:.*]] = call @external() : () -> memref<8xf32>
// CHECK-NEXT: linalg.add ins({{.*}}, %[[E]] : {{.*}}) outs(%[[OUT]]
func.func private @external() -> memref<8xf32>
func.func private @returns_its_argument(%m: memref<8xf32>) -> memref<8xf32> {
  return %m : memref<8xf32>
}
func.func @returns_an_allocation() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %dead = memref.alloc() : memref<8xf32>
  %b = memref.cast %a : memref<8xf32> to memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<8xf32>
  return %c : memref<8xf32>
}
func.func @mixed(%x: tensor<8xf32>) -> tensor<8xf32> {
  %m = call @external() : () -> memref<8xf32>
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %a = linalg.add ins(%x, %t : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// Element-wise arithmetic on tensors and padding have an equivalent that can be bufferized.
// CHECK-LABEL: func.func @elementwise(
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.fill
// CHECK: memref.subview
func.func @elementwise(%x: tensor<8xf32>) -> tensor<10xf32> {
  %zero = arith.constant 0.0 : f32
  %a = arith.addf %x, %x : tensor<8xf32>
  %b = math.exp %a : tensor<8xf32>
  %c = tensor.pad %b low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %c : tensor<10xf32>
}

// -----

// Functions of a nested module.
// CHECK-LABEL: module @inner
// CHECK: func.func @nested(
// CHECK-SAME: %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32> {bufferize.result}) {
module @outer {
  module @inner {
    func.func @nested(%x: tensor<8xf32>) -> tensor<8xf32> {
      %empty = tensor.empty() : tensor<8xf32>
      %a = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
      return %a : tensor<8xf32>
    }
  }
}

// -----

// Globals that are only read. torch-mlir declares the state of random numbers in every program.
// CHECK-LABEL: memref.global "private" @state : memref<8xf32> = dense<1.0
// CHECK-LABEL: func.func @loads(
// CHECK: %[[G:.*]] = memref.get_global @state
// CHECK: linalg.add ins(%[[G]], %{{.*}} : 
ml_program.global private mutable @state(dense<1.0> : tensor<8xf32>) : tensor<8xf32>
func.func @loads(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = ml_program.global_load @state : tensor<8xf32>
  %empty = tensor.empty() : tensor<8xf32>
  %a = linalg.add ins(%s, %x : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// Without tensors, nothing changes.
// CHECK-LABEL: func.func @on_buffers
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: return %[[A]]
func.func @on_buffers() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}
