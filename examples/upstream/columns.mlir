// Columns of a matrix: both halves of every row are overwritten.
func.func @f(%a: memref<8x8xf32>, %x: f32, %y: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<8x8xf32>)
  %left = memref.subview %a[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %right = memref.subview %a[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  linalg.fill ins(%y : f32) outs(%left : memref<8x4xf32, strided<[8, 1]>>)
  linalg.fill ins(%y : f32) outs(%right : memref<8x4xf32, strided<[8, 1], offset: 4>>)
  return
}
