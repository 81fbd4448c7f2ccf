// A scalar on the stack, with a different value on each branch.
func.func @f(%a: memref<8xf32> {llvm.noalias}, %x: f32, %y: f32, %p: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<f32>
  cf.cond_br %p, ^left, ^right
^left:
  memref.store %x, %t[] : memref<f32>
  memref.store %x, %a[%c0] : memref<8xf32>
  cf.br ^end
^right:
  memref.store %y, %t[] : memref<f32>
  cf.br ^end
^end:
  %z = memref.load %t[] : memref<f32>
  return %z : f32
}
