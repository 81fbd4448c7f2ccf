// The original of ../not-the-runtime.mlir.

func.func @copies(%x: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.alloc() : memref<16xf32>
  memref.copy %x, %y : memref<16xf32> to memref<16xf32>
  %v = memref.load %y[%c0] : memref<16xf32>
  return %v : f32
}
