// Read from memory filled with one constant.
func.func @f(%a: memref<64xf32> {llvm.noalias}, %i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<64xf32>)
  memref.store %zero, %a[%i] : memref<64xf32>
  %x = memref.load %t[%i] : memref<64xf32>
  return %x : f32
}
