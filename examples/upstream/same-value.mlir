// A loop stores a value back where it was loaded from.
func.func @f(%a: memref<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%c0] : memref<8xf32>
  }
  return %x : f32
}
