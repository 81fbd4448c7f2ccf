// Read after branches that write elsewhere.
func.func @f(%a: memref<8xf32> {llvm.noalias}, %b: memref<8xf32> {llvm.noalias}, %x: f32, %p: i1) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32>
  scf.if %p {
    memref.store %x, %b[%c0] : memref<8xf32>
  }
  %y = memref.load %a[%c0] : memref<8xf32>
  return %y : f32
}
