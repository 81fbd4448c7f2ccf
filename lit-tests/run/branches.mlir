// Programs on tensors with branches between blocks compute what they say. Upstream's bufferization of
// branches overwrites what is read later: a result of each function below would differ.

// REQUIRES: numpy
// RUN: %numpy-python -c "import numpy as np; np.save('%t.x.npy', np.arange(1, 5, dtype='f4')); np.save('%t.n.npy', np.array([3], 'i4'))"
// RUN: mem-run %s --compare --input %t.x.npy --input %t.n.npy --output %t.0 --output %t.1 --output %t.2 --output %t.3 --output %t.4 --output %t.5 --output %t.6 --output %t.7 --output %t.8 --output %t.9 --output %t.10 | FileCheck %s
// RUN: %numpy-python -c "import numpy as np; print(*(int((np.load(f'%t.{i}') / np.arange(1, 5)).sum() / 4) for i in range(11)))" | FileCheck %s --check-prefix=VALUES

// CHECK: equal: 13 values
// Each result is a multiple of the input, negated.
// VALUES: {{^}}1 -1 1 -1 -1 1 1 -1 -2 4 8{{$}}

// An argument is changed in another block than that where it is defined.
func.func private @other_block(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  cf.cond_br %c, ^change, ^keep
^change:
  %y = linalg.negf ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
^keep:
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// One tensor is two arguments of a block, and one of them is changed.
func.func private @passed_twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  cf.br ^next(%x, %x : tensor<4xf32>, tensor<4xf32>)
^next(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %y = linalg.negf ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %y, %b : tensor<4xf32>, tensor<4xf32>
}

// The same in a loop, which exchanges two tensors.
func.func private @loop(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x, %x : index, tensor<4xf32>, tensor<4xf32>)
^head(%i: index, %a: tensor<4xf32>, %b: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %y = linalg.negf ins(%b : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %b, %y : index, tensor<4xf32>, tensor<4xf32>)
^exit:
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// A tensor is changed on one of two ways to a block, and read after it.
func.func private @join(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  cf.cond_br %c, ^change(%x : tensor<4xf32>), ^join(%x : tensor<4xf32>)
^change(%a: tensor<4xf32>):
  %y = linalg.negf ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^join(%y : tensor<4xf32>)
^join(%r: tensor<4xf32>):
  return %r, %x : tensor<4xf32>, tensor<4xf32>
}

func.func private @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Both edges of a branch go to one block.
func.func private @one_block(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %y = func.call @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
  cf.cond_br %c, ^next(%y : tensor<4xf32>), ^next(%x : tensor<4xf32>)
^next(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// A branch by a number, with tensors of any size.
func.func private @switch(%x: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?xf32>
  cf.switch %n : i32, [
    default: ^negate(%x : tensor<?xf32>),
    3: ^twice(%x, %x : tensor<?xf32>, tensor<?xf32>),
    4: ^exit(%x : tensor<?xf32>)
  ]
^twice(%a: tensor<?xf32>, %b: tensor<?xf32>):
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %t = linalg.add ins(%s, %s : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  cf.br ^negate(%t : tensor<?xf32>)
^negate(%c: tensor<?xf32>):
  %y = linalg.negf ins(%c : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  cf.br ^exit(%y : tensor<?xf32>)
^exit(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
}

// A loop with two entries: %n is counted down in both blocks.
func.func private @two_entries(%x: tensor<4xf32>, %n: i32, %c: i1) -> tensor<4xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^left(%x, %n : tensor<4xf32>, i32), ^right(%x, %n : tensor<4xf32>, i32)
^left(%a: tensor<4xf32>, %i: i32):
  %b = func.call @double(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %j = arith.subi %i, %one : i32
  %more = arith.cmpi sgt, %j, %zero : i32
  cf.cond_br %more, ^right(%b, %j : tensor<4xf32>, i32), ^exit(%b : tensor<4xf32>)
^right(%d: tensor<4xf32>, %k: i32):
  %s = func.call @double(%d) : (tensor<4xf32>) -> tensor<4xf32>
  %e = linalg.negf ins(%s : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  %l = arith.subi %k, %one : i32
  %again = arith.cmpi sgt, %l, %zero : i32
  cf.cond_br %again, ^left(%e, %l : tensor<4xf32>, i32), ^exit(%e : tensor<4xf32>)
^exit(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// A result that is an argument would be dropped.
func.func private @negated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.negf ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>, %numbers: tensor<1xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
        tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = tensor.extract %numbers[%c0] : tensor<1xi32>
  %count = arith.index_cast %n : i32 to index
  %c = arith.cmpi sgt, %n, %zero : i32
  %0:2 = call @other_block(%x, %c) : (tensor<4xf32>, i1) -> (tensor<4xf32>, tensor<4xf32>)
  %1:2 = call @passed_twice(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %2:2 = call @loop(%x, %count) : (tensor<4xf32>, index) -> (tensor<4xf32>, tensor<4xf32>)
  %3:2 = call @join(%x, %c) : (tensor<4xf32>, i1) -> (tensor<4xf32>, tensor<4xf32>)
  %4 = call @one_block(%x, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %any = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %5 = call @switch(%any, %n) : (tensor<?xf32>, i32) -> tensor<?xf32>
  %6 = tensor.cast %5 : tensor<?xf32> to tensor<4xf32>
  %7 = call @two_entries(%x, %n, %c) : (tensor<4xf32>, i32, i1) -> tensor<4xf32>
  %r0 = call @negated(%0#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r1 = call @negated(%0#1) : (tensor<4xf32>) -> tensor<4xf32>
  %r2 = call @negated(%1#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r3 = call @negated(%1#1) : (tensor<4xf32>) -> tensor<4xf32>
  %r4 = call @negated(%2#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r5 = call @negated(%2#1) : (tensor<4xf32>) -> tensor<4xf32>
  %r6 = call @negated(%3#0) : (tensor<4xf32>) -> tensor<4xf32>
  %r7 = call @negated(%3#1) : (tensor<4xf32>) -> tensor<4xf32>
  %r8 = call @negated(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %r9 = call @negated(%6) : (tensor<4xf32>) -> tensor<4xf32>
  %r10 = call @negated(%7) : (tensor<4xf32>) -> tensor<4xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10
    : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
      tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
