// Computed into a temporary, then copied to its destination.
func.func @f(%a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias}) {
  %t = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%t : memref<64xf32>)
  memref.copy %t, %b : memref<64xf32> to memref<64xf32>
  return
}
