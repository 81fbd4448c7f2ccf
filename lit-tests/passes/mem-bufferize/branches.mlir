// Branches between blocks become structured control flow, which upstream bufferizes without
// overwriting what is read later. lit-tests/run/branches.mlir runs such programs.

// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-from-linalg-pipeline)' | FileCheck %s

// The argument is read after its negation was computed, which therefore is not in its place.
// CHECK-LABEL: func.func @other_block(
// CHECK-SAME: %[[X:.*]]: memref<8xf32>, %[[C:.*]]: i1, %[[OUT:.*]]: memref<8xf32> {bufferize.result}) {
// CHECK-NOT: outs(%[[X]]
// CHECK: return
func.func @other_block(%x: tensor<8xf32>, %c: i1) -> (tensor<8xf32>, tensor<8xf32>) {
  cf.cond_br %c, ^change, ^keep
^change:
  %y = linalg.negf ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %y, %x : tensor<8xf32>, tensor<8xf32>
^keep:
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

// A loop needs no more than its fresh buffer.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.while
// CHECK: memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: cf.br
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<8xf32>)
^head(%i: index, %a: tensor<8xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %empty = tensor.empty() : tensor<8xf32>
  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.negf ins(%b : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %c : index, tensor<8xf32>)
^exit:
  return %a : tensor<8xf32>
}

// -----

// No value is left undefined.
// CHECK-LABEL: func.func @switch(
// CHECK-NOT: ub.poison
// CHECK: scf.index_switch
// CHECK-NOT: ub.poison
func.func @switch(%x: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  cf.switch %n : i32, [
    default: ^negate(%x : tensor<?xf32>),
    4: ^exit(%x : tensor<?xf32>)
  ]
^negate(%c: tensor<?xf32>):
  %y = linalg.negf ins(%c : tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  cf.br ^exit(%y : tensor<?xf32>)
^exit(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}

// -----

// A block that is not reachable is removed.
// CHECK-LABEL: func.func @unreachable(
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @unreachable(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^exit(%y : tensor<8xf32>)
^unreachable:
  %z = linalg.negf ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^exit(%z : tensor<8xf32>)
^exit(%r: tensor<8xf32>):
  return %r : tensor<8xf32>
}

// -----

// A function without tensors keeps its branches.
// CHECK-LABEL: func.func @on_buffers(
// CHECK: cf.cond_br
// CHECK-LABEL: func.func @beside(
func.func @on_buffers(%x: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^change, ^exit
^change:
  linalg.negf ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  cf.br ^exit
^exit:
  return
}
func.func @beside(%x: tensor<8xf32>) {
  return
}
