// A program on tensors is bufferized, and runs on values from NumPy files. The planned program
// computes the same, and the results are those of NumPy.

// REQUIRES: numpy
// RUN: %numpy-python %S/Inputs/arrays.py write %t.x.npy %t.cache.npy
// RUN: mem-run %s --compare --input %t.x.npy --input 1=%t.cache.npy --output %t.y.npy --output 1=%t.new.npy --output %t.sum.npy 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: %numpy-python %S/Inputs/arrays.py check %t.x.npy %t.cache.npy %t.y.npy %t.new.npy %t.sum.npy

// Without files, arguments are random, and results can be written all the same.
// RUN: mem-run %s --output %t.random.npy 2>&1 | FileCheck %s --check-prefix=RANDOM

// REMARK: remark: result 1 of 'main' is dropped: it is argument 1

// CHECK: argument 1     memref<4xi32> {{ *}}16  changed    equal
// CHECK: argument 2     memref<3x2xf32> {{ *}}24  changed    equal
// CHECK: result 0       f32 {{ *}}4  changed    equal
// CHECK: equal: 4 values

// RANDOM: argument 2     memref<3x2xf32>

#id = affine_map<(i, j) -> (i, j)>
#number = affine_map<(i, j) -> ()>

func.func @main(%x: tensor<3x2xf32>, %cache: tensor<4xi32>)
    -> (tensor<3x2xf32>, tensor<4xi32>, f32) {
  %c2 = arith.constant 2 : index
  %n99 = arith.constant 99 : i32
  %zero = arith.constant 0.0 : f32
  %new = tensor.insert %n99 into %cache[%c2] : tensor<4xi32>
  %empty = tensor.empty() : tensor<3x2xf32>
  %a = linalg.abs ins(%x : tensor<3x2xf32>) outs(%empty : tensor<3x2xf32>) -> tensor<3x2xf32>
  %y = arith.addf %a, %a : tensor<3x2xf32>
  %number = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%number : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, #number], iterator_types = ["reduction", "reduction"]}
      ins(%y : tensor<3x2xf32>) outs(%start : tensor<f32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %total = tensor.extract %sum[] : tensor<f32>
  return %y, %new, %total : tensor<3x2xf32>, tensor<4xi32>, f32
}
