// Loops whose body yields a tensor that is needed afterwards, two tensors in exchange, or one tensor
// twice, compute what they say. Upstream's bufferization would write over these tensors.

// REQUIRES: numpy
// RUN: %numpy-python -c "import numpy as np; np.save('%t.x.npy', np.arange(1, 5, dtype='f4')); np.save('%t.n.npy', np.array([2], 'i4'))"
// RUN: mem-run %s --compare --input %t.x.npy --input %t.n.npy --output %t.0 --output %t.1 --output %t.2 --output %t.3 --output %t.4 --output %t.5 | FileCheck %s
// RUN: %numpy-python -c "import numpy as np; print(*(int((np.load(f'%t.{i}') / np.arange(1, 5)).sum() / 4) for i in range(6)))" | FileCheck %s --check-prefix=VALUES

// CHECK: equal: 8 values
// Each result is a multiple of the input, negated.
// VALUES: {{^}}3 -3 -5 -1 1 -1{{$}}

func.func private @triple(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %z = linalg.add ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// The tensor from outside is negated in the next round, and read after the loop.
func.func private @outside(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %keep = func.call @triple(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r:2 = scf.while (%a = %x, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %y = linalg.negf ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %y, %i : tensor<4xf32>, index
  } do {
  ^bb0(%b: tensor<4xf32>, %j: index):
    %k = arith.addi %j, %c1 : index
    scf.yield %keep, %k : tensor<4xf32>, index
  }
  return %r#0, %keep : tensor<4xf32>, tensor<4xf32>
}

// Two tensors change places; the initial values are read after the loop.
func.func private @exchange(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = func.call @triple(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r:3 = scf.while (%a = %x, %b = %p, %i = %c0) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %a, %b, %i : tensor<4xf32>, tensor<4xf32>, index
  } do {
  ^bb0(%c: tensor<4xf32>, %d: tensor<4xf32>, %j: index):
    %s = linalg.add ins(%c, %x : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
    %k = arith.addi %j, %c1 : index
    scf.yield %d, %s, %k : tensor<4xf32>, tensor<4xf32>, index
  }
  %q = linalg.add ins(%r#1, %x : tensor<4xf32>, tensor<4xf32>) outs(%r#1 : tensor<4xf32>) -> tensor<4xf32>
  return %q, %x : tensor<4xf32>, tensor<4xf32>
}

// One tensor is both values of the next round.
func.func private @twice(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%a = %x, %b = %x, %i = %c0) : (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>, index) {
    %y = linalg.negf ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %y, %b, %i : tensor<4xf32>, tensor<4xf32>, index
  } do {
  ^bb0(%c: tensor<4xf32>, %d: tensor<4xf32>, %j: index):
    %k = arith.addi %j, %c1 : index
    %s = linalg.add ins(%c, %d : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
    %t = linalg.add ins(%s, %x : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %t, %t, %k : tensor<4xf32>, tensor<4xf32>, index
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

func.func private @negated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.negf ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>, %numbers: tensor<1xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %number = tensor.extract %numbers[%c0] : tensor<1xi32>
  %n = arith.index_cast %number : i32 to index
  %0:2 = call @outside(%x, %n) : (tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>)
  %1:2 = call @exchange(%x, %n) : (tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>)
  %2:2 = call @twice(%x, %n) : (tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>)
  %r0 = call @negated(%0#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r1 = call @negated(%0#1) : (tensor<4xf32>) -> tensor<4xf32>
  %r2 = call @negated(%1#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r3 = call @negated(%1#1) : (tensor<4xf32>) -> tensor<4xf32>
  %r4 = call @negated(%2#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r5 = call @negated(%2#1) : (tensor<4xf32>) -> tensor<4xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
