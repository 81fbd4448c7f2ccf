// A loop that keeps a state in fast memory: docs/Hierarchies.md shows its types before and after planning.
func.func @main(%x: memref<16x256xf32>, %y: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %state = memref.alloc() : memref<256xf32>
  linalg.fill ins(%zero : f32) outs(%state : memref<256xf32>)
  %last = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %state) -> (memref<256xf32>) {
    %row = memref.subview %x[%i, 0] [1, 256] [1, 1] : memref<16x256xf32> to memref<256xf32, strided<[1], offset: ?>>
    linalg.add ins(%row, %s : memref<256xf32, strided<[1], offset: ?>>, memref<256xf32>) outs(%s : memref<256xf32>)
    scf.yield %s : memref<256xf32>
  }
  linalg.exp ins(%last : memref<256xf32>) outs(%y : memref<256xf32>)
  return
}
