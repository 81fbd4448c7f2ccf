// Copied to a temporary, then from the temporary to the destination.
func.func @f(%a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias}) {
  %t = memref.alloc() : memref<64xf32>
  memref.copy %a, %t : memref<64xf32> to memref<64xf32>
  memref.copy %t, %b : memref<64xf32> to memref<64xf32>
  return
}
