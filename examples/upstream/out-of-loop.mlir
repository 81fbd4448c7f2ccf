// Read in every iteration of a loop that writes elsewhere.
func.func @f(%a: memref<64xf32> {llvm.noalias}, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = memref.alloc() : memref<1xf32>
  memref.store %x, %t[%c0] : memref<1xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %y = memref.load %t[%c0] : memref<1xf32>
    memref.store %y, %a[%i] : memref<64xf32>
  }
  return
}
