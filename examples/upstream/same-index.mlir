// Stored twice at the same index, known only at run time.
func.func @f(%a: memref<8xf32>, %x: f32, %y: f32, %i: index) -> f32 {
  memref.store %x, %a[%i] : memref<8xf32>
  memref.store %y, %a[%i] : memref<8xf32>
  %z = memref.load %a[%i] : memref<8xf32>
  return %z : f32
}
