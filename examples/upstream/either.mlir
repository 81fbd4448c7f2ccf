// Written through a pointer to either of two buffers, and then to both.
func.func @f(%a: memref<8xf32> {llvm.noalias}, %b: memref<8xf32> {llvm.noalias}, %x: f32, %y: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %either = arith.select %p, %a, %b : memref<8xf32>
  memref.store %x, %either[%c0] : memref<8xf32>
  memref.store %y, %a[%c0] : memref<8xf32>
  memref.store %y, %b[%c0] : memref<8xf32>
  return
}
