// Overwritten on both branches.
func.func @f(%a: memref<8xf32>, %x: f32, %y: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32>
  scf.if %p {
    memref.store %y, %a[%c0] : memref<8xf32>
  } else {
    %z = arith.addf %x, %y : f32
    memref.store %z, %a[%c0] : memref<8xf32>
  }
  return
}
