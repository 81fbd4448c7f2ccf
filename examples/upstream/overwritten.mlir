// Overwritten before any read, in straight-line code.
func.func @f(%a: memref<8xf32>, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32>
  memref.store %y, %a[%c0] : memref<8xf32>
  return
}
