// Programs that write and read the same rows as their namesakes in inputs/rows.mlir, in other ways.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rows.mlir})' -o %t 2>&1 | count 0

// The interior is written in two blocks of columns, the border on its own.
func.func @padded(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<10x10xf32>, %v: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %p = memref.alloc() : memref<10x10xf32>
  %0 = memref.subview %p[0, 0] [1, 10] [1, 1] : memref<10x10xf32> to memref<1x10xf32, strided<[10, 1]>>
  linalg.fill ins(%v : f32) outs(%0 : memref<1x10xf32, strided<[10, 1]>>)
  %1 = memref.subview %p[9, 0] [1, 10] [1, 1] : memref<10x10xf32> to memref<1x10xf32, strided<[10, 1], offset: 90>>
  linalg.fill ins(%v : f32) outs(%1 : memref<1x10xf32, strided<[10, 1], offset: 90>>)
  %2 = memref.subview %p[0, 0] [10, 1] [1, 1] : memref<10x10xf32> to memref<10x1xf32, strided<[10, 1]>>
  linalg.fill ins(%v : f32) outs(%2 : memref<10x1xf32, strided<[10, 1]>>)
  %3 = memref.subview %p[0, 9] [10, 1] [1, 1] : memref<10x10xf32> to memref<10x1xf32, strided<[10, 1], offset: 9>>
  linalg.fill ins(%v : f32) outs(%3 : memref<10x1xf32, strided<[10, 1], offset: 9>>)
  %of = memref.subview %a[0, 0] [8, 3] [1, 1] : memref<8x8xf32> to memref<8x3xf32, strided<[8, 1]>>
  %to = memref.subview %p[1, 1] [8, 3] [1, 1] : memref<10x10xf32> to memref<8x3xf32, strided<[10, 1], offset: 11>>
  memref.copy %of, %to : memref<8x3xf32, strided<[8, 1]>> to memref<8x3xf32, strided<[10, 1], offset: 11>>
  %of2 = memref.subview %a[0, 3] [8, 5] [1, 1] : memref<8x8xf32> to memref<8x5xf32, strided<[8, 1], offset: 3>>
  %to2 = memref.subview %p[1, 4] [8, 5] [1, 1] : memref<10x10xf32> to memref<8x5xf32, strided<[10, 1], offset: 14>>
  memref.copy %of2, %to2 : memref<8x5xf32, strided<[8, 1], offset: 3>> to memref<8x5xf32, strided<[10, 1], offset: 14>>
  linalg.exp ins(%p : memref<10x10xf32>) outs(%y : memref<10x10xf32>)
  return
}

// The right half first, over bytes that something else has left in the buffer.
func.func @concatenated(%x: memref<8x4xf32>, %y: memref<8x8xf32>) {
  %c = memref.alloc() : memref<8x8xf32>
  %v = arith.constant 1.0 : f32
  linalg.fill ins(%v : f32) outs(%c : memref<8x8xf32>)
  %l = memref.subview %c[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %r = memref.subview %c[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.tanh ins(%x : memref<8x4xf32>) outs(%r : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  linalg.exp ins(%x : memref<8x4xf32>) outs(%l : memref<8x4xf32, strided<[8, 1]>>)
  linalg.log ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

// The rows are read from a copy with another pitch.
func.func @sliced(%x: memref<8x8xf32>, %y: memref<8x4xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x10xf32>
  %i = memref.subview %b[0, 1] [8, 8] [1, 1] : memref<8x10xf32> to memref<8x8xf32, strided<[10, 1], offset: 1>>
  memref.copy %a, %i : memref<8x8xf32> to memref<8x8xf32, strided<[10, 1], offset: 1>>
  %r = memref.subview %b[0, 5] [8, 4] [1, 1] : memref<8x10xf32> to memref<8x4xf32, strided<[10, 1], offset: 5>>
  linalg.tanh ins(%r : memref<8x4xf32, strided<[10, 1], offset: 5>>) outs(%y : memref<8x4xf32>)
  return
}

// Half of the rows are written first.
func.func @one_row(%x: memref<8x4xf32>, %y: memref<8x8xf32>, %v: f32) {
  %c = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8x4xf32>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%t : memref<8x4xf32>)
  %upper = memref.subview %t[0, 0] [5, 4] [1, 1] : memref<8x4xf32> to memref<5x4xf32, strided<[4, 1]>>
  %lower = memref.subview %t[5, 0] [3, 4] [1, 1] : memref<8x4xf32> to memref<3x4xf32, strided<[4, 1], offset: 20>>
  %a = memref.subview %c[0, 0] [5, 4] [1, 1] : memref<8x8xf32> to memref<5x4xf32, strided<[8, 1]>>
  %b = memref.subview %c[5, 0] [3, 4] [1, 1] : memref<8x8xf32> to memref<3x4xf32, strided<[8, 1], offset: 40>>
  %r = memref.subview %c[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  memref.copy %upper, %a : memref<5x4xf32, strided<[4, 1]>> to memref<5x4xf32, strided<[8, 1]>>
  linalg.tanh ins(%x : memref<8x4xf32>) outs(%r : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  memref.copy %lower, %b : memref<3x4xf32, strided<[4, 1], offset: 20>> to memref<3x4xf32, strided<[8, 1], offset: 40>>
  linalg.log ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

// Only the element that is read is written. Where control meets, the contents differ in one element
// here, and in all of them in the original.
func.func @joined(%p: i1, %x: memref<8xf32>, %y: memref<1xf32>, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<1xf32>)
  scf.if %p {
    %t = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%t : memref<8xf32>)
    %e = memref.load %t[%0] : memref<8xf32>
    memref.store %e, %a[%0] : memref<1xf32>
  }
  %f = memref.load %a[%0] : memref<1xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %y[%0] : memref<1xf32>
  return
}

// As above, around a loop.
func.func @carried(%n: index, %x: memref<8xf32>, %y: memref<1xf32>, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<1xf32>)
  scf.for %i = %0 to %n step %1 {
    %t = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%t : memref<8xf32>)
    %e = memref.load %t[%0] : memref<8xf32>
    memref.store %e, %a[%0] : memref<1xf32>
  }
  %f = memref.load %a[%0] : memref<1xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %y[%0] : memref<1xf32>
  return
}
