// A value that is only copied elsewhere is computed directly at the target.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies,mem-remove-copies)' | FileCheck %s
// RUN: mem-run %s --function=padded --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=joined --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=collapsed --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=in_loop --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=read_again --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-run %s --function=chain --compare | FileCheck %s --check-prefix=EQUAL
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// EQUAL: equal:

// STATISTICS: (S) {{ *}}8 copies
// STATISTICS: (S) {{ *}}0 kept

#id = affine_map<(i, j) -> (i, j)>
#flat = affine_map<(i) -> (i)>

// Padding as bufferization generates it: the fill follows the computation of the data to be padded, and must precede it.
// CHECK-LABEL: func.func @padded
// CHECK: %[[PAD:.*]] = mem.buffer {{.*}} : !mem.buffer<144>
// CHECK: %[[ALL:.*]] = mem.descriptor %[[PAD]][0, 144]
// CHECK: linalg.fill {{.*}} outs(%[[ALL]]
// CHECK: %[[INSIDE:.*]] = mem.descriptor %[[PAD]][28, 88] : !mem.buffer<144> -> memref<4x4xf32, strided<[6, 1]>>
// CHECK: linalg.generic {{.*}} outs(%[[INSIDE]]
// CHECK-NOT: memref.copy
// CHECK: linalg.matmul ins(%[[ALL]], %[[ALL]]
func.func @padded(%in: memref<4x4xf32>, %out: memref<6x6xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<4x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<4x4xf32>) outs(%x : memref<4x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  }
  %pad = memref.alloc() : memref<6x6xf32>
  linalg.fill ins(%zero : f32) outs(%pad : memref<6x6xf32>)
  %inside = memref.subview %pad[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  memref.copy %x, %inside : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  linalg.fill ins(%zero : f32) outs(%out : memref<6x6xf32>)
  linalg.matmul ins(%pad, %pad : memref<6x6xf32>, memref<6x6xf32>) outs(%out : memref<6x6xf32>)
  return
}

// Two column blocks of one matrix, whose rows interleave in memory. The second block is computed from the first.
// CHECK-LABEL: func.func @joined
// CHECK: %[[BOTH:.*]] = mem.buffer {{.*}} : !mem.buffer<64>
// CHECK: %[[LEFT:.*]] = mem.descriptor %[[BOTH]][0, 56]
// CHECK: linalg.generic {{.*}} ins(%arg0 {{.*}} outs(%[[LEFT]]
// CHECK: %[[RIGHT:.*]] = mem.descriptor %[[BOTH]][8, 56]
// CHECK: linalg.generic {{.*}} ins(%[[LEFT]] {{.*}} outs(%[[RIGHT]]
// CHECK: %[[ALL:.*]] = mem.descriptor %[[BOTH]][0, 64]
// CHECK-NEXT: linalg.matmul ins(%[[ALL]], %arg1
func.func @joined(%in: memref<4x2xf32>, %with: memref<4x4xf32>, %out: memref<4x4xf32> {bufferize.result}) {
  %left = memref.alloc() : memref<4x2xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<4x2xf32>) outs(%left : memref<4x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  }
  %right = memref.alloc() : memref<4x2xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%left : memref<4x2xf32>) outs(%right : memref<4x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %a : f32
    linalg.yield %c : f32
  }
  %both = memref.alloc() : memref<4x4xf32>
  %first = memref.subview %both[0, 0] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  memref.copy %left, %first : memref<4x2xf32> to memref<4x2xf32, strided<[4, 1]>>
  %second = memref.subview %both[0, 2] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %right, %second : memref<4x2xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  linalg.matmul ins(%both, %with : memref<4x4xf32>, memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  return
}

// Another view of the source gets new strides.
// CHECK-LABEL: func.func @collapsed
// CHECK: linalg.fill
// CHECK: %[[CUBE:.*]] = mem.descriptor %[[B:.*]][16, 80] : {{.*}} -> memref<2x2x2xf32, strided<[16, 2, 1]>>
// CHECK: %[[FLAT:.*]] = mem.descriptor %[[B]][16, 80] : {{.*}} -> memref<2x4xf32, strided<[16, 1]>>
// CHECK: linalg.fill {{.*}} outs(%[[CUBE]]
// CHECK: memref.store {{.*}}, %[[FLAT]]
// CHECK-NOT: memref.copy %[[FLAT]]
func.func @collapsed(%out: memref<2x16xf32> {bufferize.result}, %one: f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<2x16xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<2x16xf32>)
  %x = memref.alloc() : memref<2x4xf32>
  %cube = memref.expand_shape %x [[0], [1, 2]] output_shape [2, 2, 2] : memref<2x4xf32> into memref<2x2x2xf32>
  linalg.fill ins(%one : f32) outs(%cube : memref<2x2x2xf32>)
  memref.store %zero, %x[%c0, %c0] : memref<2x4xf32>
  %part = memref.subview %b[0, 4] [2, 4] [1, 1] : memref<2x16xf32> to memref<2x4xf32, strided<[16, 1], offset: 4>>
  memref.copy %x, %part : memref<2x4xf32> to memref<2x4xf32, strided<[16, 1], offset: 4>>
  memref.copy %b, %out : memref<2x16xf32> to memref<2x16xf32>
  return
}

// Row by row into a larger buffer, in a loop: the offset depends on the induction variable.
// CHECK-LABEL: func.func @in_loop
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[ROW:.*]] = memref.subview %arg1[%[[I]], 0] [1, 8]
// CHECK-NEXT: linalg.generic {{.*}} outs(%[[ROW]]
// CHECK-NOT: memref.copy
func.func @in_loop(%in: memref<1x8xf32>, %out: memref<4x8xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.alloc() : memref<1x8xf32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%in : memref<1x8xf32>) outs(%x : memref<1x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %a : f32
      linalg.yield %c : f32
    }
    %row = memref.subview %out[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %x, %row : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  }
  return
}

// The source is read again later, when the target still holds the same value.
// CHECK-LABEL: func.func @read_again
// CHECK-NOT: memref.copy
// CHECK: linalg.fill {{.*}} outs(%arg0
// CHECK: linalg.generic {{.*}} ins(%arg0 {{.*}} outs(%arg1
func.func @read_again(%out: memref<8xf32> {bufferize.result}, %sum: memref<8xf32> {bufferize.result}, %v: f32) {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %a : f32
    linalg.yield %c : f32
  }
  return
}

// A chain of copies from one buffer to another to the result.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: linalg.fill {{.*}} outs(%arg0
// CHECK-NEXT: return
func.func @chain(%out: memref<8xf32> {bufferize.result}, %v: f32) {
  %x = memref.alloc() : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return
}
