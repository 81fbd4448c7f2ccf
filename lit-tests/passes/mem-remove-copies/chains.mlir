// What is computed for a buffer that is itself copied on is computed in the last target at once, if each target on the way allows it.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies,mem-remove-copies)' | FileCheck %s
// RUN: mem-run %s --function=concatenations --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=last_target_read_before --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=last_target_changed_after --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=other_bytes --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=in_a_loop --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=in_and_after_a_loop --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// EQUAL: equal:

// STATISTICS: (S) {{ *}}12 copies

// Columns next to columns, three times.
// CHECK-LABEL: func.func @concatenations
// CHECK-NOT: memref.copy
// CHECK: = mem.buffer {{.*}} : !mem.buffer<64>
// CHECK-NOT: = mem.buffer
// CHECK: linalg.fill {{.*}} outs(%{{.*}} : memref<2x2xf32, strided<[8, 1]>>)
// CHECK-NOT: memref.copy
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : memref<2x2xf32, strided<[8, 1]>>)
// CHECK-NOT: memref.copy
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : memref<2x4xf32, strided<[8, 1]>>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @concatenations(%a: memref<2x2xf32>, %b: memref<4x4xf32>, %out: memref<2x8xf32> {bufferize.result}, %v: f32) {
  %first = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%v : f32) outs(%first : memref<2x2xf32>)
  %second = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%v : f32) outs(%second : memref<2x2xf32>)
  linalg.matmul ins(%first, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%second : memref<2x2xf32>)
  %two = memref.alloc() : memref<2x4xf32>
  %two_left = memref.subview %two[0, 0] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  memref.copy %first, %two_left : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1]>>
  %two_right = memref.subview %two[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %second, %two_right : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  %third = memref.alloc() : memref<2x4xf32>
  linalg.fill ins(%v : f32) outs(%third : memref<2x4xf32>)
  linalg.matmul ins(%two, %b : memref<2x4xf32>, memref<4x4xf32>) outs(%third : memref<2x4xf32>)
  %four = memref.alloc() : memref<2x8xf32>
  %four_left = memref.subview %four[0, 0] [2, 4] [1, 1] : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1]>>
  memref.copy %two, %four_left : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1]>>
  %four_right = memref.subview %four[0, 4] [2, 4] [1, 1] : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 4>>
  memref.copy %third, %four_right : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1], offset: 4>>
  linalg.add ins(%four, %four : memref<2x8xf32>, memref<2x8xf32>) outs(%out : memref<2x8xf32>)
  return
}

// What `last` holds is read after the first access to `part`, but before the first access to `whole`: `whole` becomes part
// of `last`, and `part` has to be copied to it.
// CHECK-LABEL: func.func @last_target_read_before
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @last_target_read_before(%out: memref<16xf32> {bufferize.result}, %v: f32) {
  %w = arith.addf %v, %v : f32
  %last = memref.alloc() : memref<16xf32>
  linalg.fill ins(%w : f32) outs(%last : memref<16xf32>)
  %part = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%part : memref<4xf32>)
  linalg.add ins(%last, %last : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  %whole = memref.alloc() : memref<8xf32>
  %left = memref.subview %whole[0] [4] [1] : memref<8xf32> to memref<4xf32>
  linalg.fill ins(%w : f32) outs(%left : memref<4xf32>)
  %right = memref.subview %whole[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %part, %right : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %in_last = memref.subview %last[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %whole, %in_last : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.add ins(%last, %out : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// `last` changes after the last access to `whole`, but before the last access to `part`.
// CHECK-LABEL: func.func @last_target_changed_after
// CHECK-COUNT-1: memref.copy
// CHECK-NOT: memref.copy
// CHECK: return
func.func @last_target_changed_after(%out: memref<16xf32> {bufferize.result}, %sum: memref<4xf32> {bufferize.result}, %v: f32) {
  %w = arith.addf %v, %v : f32
  %last = memref.alloc() : memref<16xf32>
  linalg.fill ins(%w : f32) outs(%last : memref<16xf32>)
  %part = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%part : memref<4xf32>)
  %whole = memref.alloc() : memref<8xf32>
  %left = memref.subview %whole[0] [4] [1] : memref<8xf32> to memref<4xf32>
  linalg.fill ins(%w : f32) outs(%left : memref<4xf32>)
  %right = memref.subview %whole[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %part, %right : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %in_last = memref.subview %last[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %whole, %in_last : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.add ins(%last, %last : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  linalg.fill ins(%v : f32) outs(%last : memref<16xf32>)
  linalg.add ins(%last, %out : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  linalg.add ins(%part, %part : memref<4xf32>, memref<4xf32>) outs(%sum : memref<4xf32>)
  return
}

// Both of these, but elsewhere in `last`.
// CHECK-LABEL: func.func @other_bytes
// CHECK-NOT: memref.copy
// CHECK: return
func.func @other_bytes(%out: memref<16xf32> {bufferize.result}, %sum: memref<4xf32> {bufferize.result}, %v: f32) {
  %w = arith.addf %v, %v : f32
  %last = memref.alloc() : memref<16xf32>
  linalg.fill ins(%w : f32) outs(%last : memref<16xf32>)
  %elsewhere = memref.subview %last[0] [4] [1] : memref<16xf32> to memref<4xf32>
  %part = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%part : memref<4xf32>)
  linalg.add ins(%elsewhere, %elsewhere : memref<4xf32>, memref<4xf32>) outs(%sum : memref<4xf32>)
  %whole = memref.alloc() : memref<8xf32>
  %left = memref.subview %whole[0] [4] [1] : memref<8xf32> to memref<4xf32>
  linalg.fill ins(%w : f32) outs(%left : memref<4xf32>)
  %right = memref.subview %whole[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %part, %right : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %in_last = memref.subview %last[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %whole, %in_last : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.fill ins(%v : f32) outs(%elsewhere : memref<4xf32>)
  linalg.add ins(%part, %sum : memref<4xf32>, memref<4xf32>) outs(%sum : memref<4xf32>)
  linalg.add ins(%last, %last : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// All copies in a loop, from buffers of an iteration to one that outlives it.
// CHECK-LABEL: func.func @in_a_loop
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_a_loop(%out: memref<16xf32> {bufferize.result}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %last = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%last : memref<16xf32>)
  linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %part = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%part : memref<4xf32>)
    %whole = memref.alloc() : memref<8xf32>
    %left = memref.subview %whole[0] [4] [1] : memref<8xf32> to memref<4xf32>
    linalg.add ins(%part, %part : memref<4xf32>, memref<4xf32>) outs(%left : memref<4xf32>)
    %right = memref.subview %whole[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    memref.copy %part, %right : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
    %in_last = memref.subview %last[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
    memref.copy %whole, %in_last : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
    linalg.add ins(%last, %out : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  }
  return
}

// One copy in a loop, the other one after it.
// CHECK-LABEL: func.func @in_and_after_a_loop
// CHECK-NOT: memref.copy
// CHECK: return
func.func @in_and_after_a_loop(%out: memref<16xf32> {bufferize.result}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %last = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%last : memref<16xf32>)
  %whole = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%whole : memref<8xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %left = memref.subview %whole[0] [4] [1] : memref<8xf32> to memref<4xf32>
    %part = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%part : memref<4xf32>)
    linalg.add ins(%left, %part : memref<4xf32>, memref<4xf32>) outs(%left : memref<4xf32>)
    %right = memref.subview %whole[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    memref.copy %part, %right : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  }
  %in_last = memref.subview %last[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %whole, %in_last : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.add ins(%last, %last : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
