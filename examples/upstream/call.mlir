// Overwritten after a call that only reads something else.
func.func private @sum(%b: memref<8xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %b[%c0] : memref<8xf32>
  %y = memref.load %b[%c1] : memref<8xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
func.func @f(%a: memref<8xf32> {llvm.noalias}, %b: memref<8xf32> {llvm.noalias}, %x: f32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %a[%c0] : memref<8xf32>
  %y = func.call @sum(%b) : (memref<8xf32>) -> f32
  memref.store %y, %a[%c0] : memref<8xf32>
  return
}
