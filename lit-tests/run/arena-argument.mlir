// A program queries the size of the arena, allocates it, and passes it: the result is the same as without planning.

// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{arena=argument})' | sed '/^}$/d' > %t.mlir
// RUN: cat %S/Inputs/arena-caller.mlir.part >> %t.mlir
// RUN: mlir-opt %t.mlir --convert-linalg-to-loops --expand-strided-metadata --lower-affine --convert-scf-to-cf \
// RUN:     --convert-math-to-llvm --finalize-memref-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm \
// RUN:     --convert-func-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-runner -e main -entry-point-result=f32 | FileCheck %s

// 256 elements equal to 3: the sum of ((3 * 3) + 3) * 2.
// CHECK: 6.144000e+03

func.func @net(%x: memref<256xf32>, %y: memref<256xf32>) {
  %square = memref.alloc() : memref<256xf32>
  %sum = memref.alloc() : memref<256xf32>
  linalg.mul ins(%x, %x : memref<256xf32>, memref<256xf32>) outs(%square : memref<256xf32>)
  linalg.add ins(%square, %x : memref<256xf32>, memref<256xf32>) outs(%sum : memref<256xf32>)
  linalg.add ins(%sum, %sum : memref<256xf32>, memref<256xf32>) outs(%y : memref<256xf32>)
  return
}
