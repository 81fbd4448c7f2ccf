// Tensors that consist of rows of others: padded, concatenated, sliced.

func.func @padded(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<10x10xf32>, %v: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %p = memref.alloc() : memref<10x10xf32>
  linalg.fill ins(%v : f32) outs(%p : memref<10x10xf32>)
  %i = memref.subview %p[1, 1] [8, 8] [1, 1] : memref<10x10xf32> to memref<8x8xf32, strided<[10, 1], offset: 11>>
  memref.copy %a, %i : memref<8x8xf32> to memref<8x8xf32, strided<[10, 1], offset: 11>>
  linalg.exp ins(%p : memref<10x10xf32>) outs(%y : memref<10x10xf32>)
  return
}

func.func @concatenated(%x: memref<8x4xf32>, %y: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x4xf32>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%a : memref<8x4xf32>)
  %b = memref.alloc() : memref<8x4xf32>
  linalg.tanh ins(%x : memref<8x4xf32>) outs(%b : memref<8x4xf32>)
  %c = memref.alloc() : memref<8x8xf32>
  %l = memref.subview %c[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %r = memref.subview %c[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  memref.copy %a, %l : memref<8x4xf32> to memref<8x4xf32, strided<[8, 1]>>
  memref.copy %b, %r : memref<8x4xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.log ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

func.func @sliced(%x: memref<8x8xf32>, %y: memref<8x4xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %r = memref.subview %a[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.tanh ins(%r : memref<8x4xf32, strided<[8, 1], offset: 4>>) outs(%y : memref<8x4xf32>)
  return
}

func.func @one_row(%x: memref<8x4xf32>, %y: memref<8x8xf32>, %v: f32) {
  %c = memref.alloc() : memref<8x8xf32>
  %l = memref.subview %c[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %r = memref.subview %c[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.exp ins(%x : memref<8x4xf32>) outs(%l : memref<8x4xf32, strided<[8, 1]>>)
  linalg.tanh ins(%x : memref<8x4xf32>) outs(%r : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  linalg.log ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}

func.func @joined(%p: i1, %x: memref<8xf32>, %y: memref<1xf32>, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  scf.if %p {
    %r = memref.subview %a[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
    linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32, strided<[2]>>)
  }
  %f = memref.load %a[%0] : memref<16xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %y[%0] : memref<1xf32>
  return
}

func.func @carried(%n: index, %x: memref<8xf32>, %y: memref<1xf32>, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  scf.for %i = %0 to %n step %1 {
    memref.store %v, %a[%0] : memref<16xf32>
    %r = memref.subview %a[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
    linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32, strided<[2]>>)
  }
  %f = memref.load %a[%0] : memref<16xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %y[%0] : memref<1xf32>
  return
}
