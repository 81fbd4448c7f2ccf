// Filled, and then overwritten in two halves.
func.func @f(%a: memref<64xf32>, %b: memref<32xf32> {llvm.noalias}, %x: f32) {
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %low = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %high = memref.subview %a[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  memref.copy %b, %low : memref<32xf32> to memref<32xf32, strided<[1]>>
  memref.copy %b, %high : memref<32xf32> to memref<32xf32, strided<[1], offset: 32>>
  return
}
