// Optimizations broken on purpose: each function differs from its namesake in inputs/original.mlir by
// one mistake that a pass could make. Every mistake is found.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/original.mlir})' -o %t 2>&1 | FileCheck %s

// A copy is forwarded into an operation that writes the source in a different order.
// CHECK: error: mem-validate: in @in_place, operand 0 differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @in_place(%z: memref<16x16xf32>) {
  linalg.transpose ins(%z : memref<16x16xf32>) outs(%z : memref<16x16xf32>) permutation = [1, 0]
  return
}

// As above, if the operand may alias the result.
// CHECK: error: mem-validate: in @perhaps_in_place, memory at the end differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @perhaps_in_place(%y: memref<16x16xf32>, %z: memref<16x16xf32>) {
  linalg.transpose ins(%z : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}

// A copy is forwarded although its source has been overwritten.
// CHECK: error: mem-validate: in @killed_source, memory at the end differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @killed_source(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.tanh ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// A store that is visible to the caller is removed.
// CHECK: error: mem-validate: in @needed_store, operand 0 differs from the original, in bytes [0, 4) of a value
func.func @needed_store(%x: memref<8xf32>, %v: f32) {
  return
}

// Two different computations are treated as equal.
// CHECK: error: mem-validate: in @two_computations, memory at the end differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @two_computations(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// A buffer is split although a value written to one part is read from the other.
// CHECK: error: mem-validate: in @live_buffer, memory at the end differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @live_buffer(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.tanh ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%b, %a : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// A loop carries a different value.
// CHECK: error: mem-validate: in @loop, memory at the end differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @loop(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  }
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}

// The branch tests a different condition.
// CHECK: error: mem-validate: in @decision, operand 0 differs from the original
func.func @decision(%x: memref<8xf32>, %p: i1, %q: i1, %v: f32) {
  scf.if %q {
    linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  }
  return
}

// A different value is written through a view whose offset only callers know.
// CHECK: error: mem-validate: in @where_callers_say, memory at the end differs from the original
// CHECK: original.mlir:{{[0-9:]+}} note: in the original, the value comes from this operation
// CHECK: different.mlir:{{[0-9:]+}} note: now, it comes from this operation
func.func @where_callers_say(%b: memref<8xf32, strided<[1], offset: ?>>) {
  %cst = arith.constant 3.0 : f32
  linalg.fill ins(%cst : f32) outs(%b : memref<8xf32, strided<[1], offset: ?>>)
  return
}

// The mistake is in a private function, and its caller reads an element chosen at run time.
// CHECK: error: mem-validate: in @called, operand 0 differs from the original
func.func private @called(%b: memref<8xf32>) {
  %cst = arith.constant 3.0 : f32
  linalg.fill ins(%cst : f32) outs(%b : memref<8xf32>)
  return
}

func.func @calls(%z: memref<1xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  call @called(%a) : (memref<8xf32>) -> ()
  %v = memref.load %a[%n] : memref<8xf32>
  memref.store %v, %z[%c0] : memref<1xf32>
  return
}

// A read starts in the middle of an element that was written.
// CHECK: error: mem-validate: in @misaligned, operand 0 differs from the original
func.func @misaligned(%c: i32, %out: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %at = arith.constant 0 : index
  %b = memref.alloc() : memref<32xi8>
  %v = memref.view %b[%c0][] : memref<32xi8> to memref<8xi32>
  linalg.fill ins(%c : i32) outs(%v : memref<8xi32>)
  %w = memref.view %b[%at][] : memref<32xi8> to memref<1xi32>
  memref.copy %w, %out : memref<1xi32> to memref<1xi32>
  return
}

// All elements are read at an offset known only at run time, in a different order.
// CHECK: warning: mem-validate: @permuted is not validated
func.func @permuted(%x: memref<4x4xf32>, %n: index, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %s = memref.subview %a[%n, 0] [4, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  memref.copy %s, %out : memref<4x4xf32, strided<[4, 1], offset: ?>> to memref<4x4xf32>
  return
}

// The arguments may overlap in part. A loop copies element by element then, and what memref.copy does is undefined.
// CHECK: error: mem-validate: in @loop_of_copies, memory at the end differs from the original
func.func @loop_of_copies(%x: memref<8xf32>, %y: memref<8xf32>) {
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  return
}
