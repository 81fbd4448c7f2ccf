// A computation whose result is already in another buffer, which is read later anyway, is not repeated.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-cse)' | FileCheck %s

// The second product is a copy of the first, and readers of the copy read the first.
// CHECK-LABEL: func.func @product
// CHECK: linalg.fill {{.*}} outs(%[[S:.*]] : memref<8x8xf32>)
// CHECK: linalg.matmul {{.*}} outs(%[[S]] : memref<8x8xf32>)
// CHECK-NOT: linalg.matmul
// CHECK: linalg.add ins(%[[S]], %[[S]] :
func.func @product(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%s : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%t : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  linalg.add ins(%s, %t : memref<8x8xf32>, memref<8x8xf32>) outs(%out : memref<8x8xf32>)
  return
}

// Computations on the second result are redundant as well.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: linalg.exp
// CHECK-NOT: linalg.exp
// CHECK-COUNT-1: linalg.tanh
// CHECK-NOT: linalg.tanh
// CHECK: linalg.sub ins(%[[T:.*]], %[[T]] :
func.func @chain(%a: memref<8xf32>, %out: memref<8xf32>) {
  %s0 = memref.alloc() : memref<8xf32>
  %s1 = memref.alloc() : memref<8xf32>
  %t0 = memref.alloc() : memref<8xf32>
  %t1 = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%s0 : memref<8xf32>)
  linalg.tanh ins(%s0 : memref<8xf32>) outs(%s1 : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%t0 : memref<8xf32>)
  linalg.tanh ins(%t0 : memref<8xf32>) outs(%t1 : memref<8xf32>)
  linalg.sub ins(%s1, %t1 : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  mem.kernel "look" uses(%s0 : memref<8xf32>)
  return
}

// The first result is dead by then: recomputing it takes less memory than keeping it.
// CHECK-LABEL: func.func @gone
// CHECK-COUNT-2: linalg.exp
func.func @gone(%a: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>) {
  %s = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  linalg.tanh ins(%s : memref<8xf32>) outs(%x : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.abs ins(%t : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @changed_result
// CHECK-COUNT-2: linalg.exp
func.func @changed_result(%a: memref<8xf32>, %out: memref<8xf32>, %v: f32, %i: index) {
  %s = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  memref.store %v, %s[%i] : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.sub ins(%s, %t : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @changed_operand
// CHECK-COUNT-2: linalg.exp
func.func @changed_operand(%a: memref<8xf32>, %out: memref<8xf32>, %v: f32, %i: index) {
  %s = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  memref.store %v, %a[%i] : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.sub ins(%s, %t : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The products are accumulated onto different initial values.
// CHECK-LABEL: func.func @other_start
// CHECK-COUNT-2: linalg.matmul
func.func @other_start(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%s : memref<8x8xf32>)
  linalg.fill ins(%one : f32) outs(%t : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  linalg.add ins(%s, %t : memref<8x8xf32>, memref<8x8xf32>) outs(%out : memref<8x8xf32>)
  return
}

// Only the bodies differ: they capture different values.
// CHECK-LABEL: func.func @other_body
// CHECK-COUNT-2: linalg.generic
func.func @other_body(%a: memref<8xf32>, %out: memref<8xf32>, %x: f32, %y: f32) {
  %s = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<8xf32>) outs(%s : memref<8xf32>) {
  ^body(%e: f32, %o: f32):
    %r = arith.addf %e, %x : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<8xf32>) outs(%t : memref<8xf32>) {
  ^body(%e: f32, %o: f32):
    %r = arith.addf %e, %y : f32
    linalg.yield %r : f32
  }
  linalg.sub ins(%s, %t : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// Only the diagonal is written. The other elements keep their old values.
// CHECK-LABEL: func.func @diagonal
// CHECK-COUNT-2: linalg.generic
func.func @diagonal(%a: memref<8xf32>, %s: memref<8x8xf32> {mem.noalias}, %t: memref<8x8xf32> {mem.noalias}) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<8xf32>) outs(%s : memref<8x8xf32>) {
  ^body(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>], iterator_types = ["parallel"]}
    ins(%a : memref<8xf32>) outs(%t : memref<8x8xf32>) {
  ^body(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  mem.kernel "look" uses(%s : memref<8x8xf32>)
  return
}

// The second target may partially overlap the operand. The second computation then has a different result.
// CHECK-LABEL: func.func @target_may_be_the_operand
// CHECK-COUNT-2: linalg.exp
func.func @target_may_be_the_operand(%a: memref<8xf32>, %t: memref<8xf32>) {
  %s = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  mem.kernel "look" uses(%s : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @target_is_not_the_operand
// CHECK-COUNT-1: linalg.exp
// CHECK-NOT: linalg.exp
func.func @target_is_not_the_operand(%a: memref<8xf32>, %t: memref<8xf32> {mem.noalias}) {
  %s = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  mem.kernel "look" uses(%s : memref<8xf32>)
  return
}

// The results may partially overlap. The second computation then changes the first result, and a copy between them is
// undefined.
// CHECK-LABEL: func.func @results_may_overlap
// CHECK-COUNT-2: linalg.exp
func.func @results_may_overlap(%a: memref<8xf32> {mem.noalias}, %s: memref<8xf32>, %t: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  mem.kernel "look" uses(%s : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @results_do_not_overlap
// CHECK-COUNT-1: linalg.exp
// CHECK-NOT: linalg.exp
func.func @results_do_not_overlap(%a: memref<8xf32> {mem.noalias}, %s: memref<8xf32> {mem.noalias}, %t: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%s : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
  mem.kernel "look" uses(%s : memref<8xf32>)
  return
}
