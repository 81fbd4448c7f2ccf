func.func @in_place(%z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%z : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @perhaps_in_place(%y: memref<16x16xf32>, %z: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  memref.copy %z, %t : memref<16x16xf32> to memref<16x16xf32>
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @killed_source(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %t : memref<8xf32> to memref<8xf32>
  linalg.tanh ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %t : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func @needed_store(%x: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<8xf32>
  return
}
func.func @two_computations(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.tanh ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func @live_buffer(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.tanh ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func @loop(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.tanh ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  }
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func @decision(%x: memref<8xf32>, %p: i1, %q: i1, %v: f32) {
  scf.if %p {
    linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  }
  return
}

func.func @where_callers_say(%b: memref<8xf32, strided<[1], offset: ?>>) {
  %cst = arith.constant 2.0 : f32
  linalg.fill ins(%cst : f32) outs(%b : memref<8xf32, strided<[1], offset: ?>>)
  return
}

func.func private @called(%b: memref<8xf32>) {
  %cst = arith.constant 2.0 : f32
  linalg.fill ins(%cst : f32) outs(%b : memref<8xf32>)
  return
}

func.func @calls(%z: memref<1xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  call @called(%a) : (memref<8xf32>) -> ()
  %v = memref.load %a[%n] : memref<8xf32>
  memref.store %v, %z[%c0] : memref<1xf32>
  return
}

func.func @misaligned(%c: i32, %out: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %at = arith.constant 1 : index
  %b = memref.alloc() : memref<32xi8>
  %v = memref.view %b[%c0][] : memref<32xi8> to memref<8xi32>
  linalg.fill ins(%c : i32) outs(%v : memref<8xi32>)
  %w = memref.view %b[%at][] : memref<32xi8> to memref<1xi32>
  memref.copy %w, %out : memref<1xi32> to memref<1xi32>
  return
}

func.func @permuted(%x: memref<4x4xf32>, %n: index, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %s = memref.subview %a[%n, 0] [4, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %t = memref.transpose %s (i, j) -> (j, i) : memref<4x4xf32, strided<[4, 1], offset: ?>> to memref<4x4xf32, strided<[1, 4], offset: ?>>
  memref.copy %t, %out : memref<4x4xf32, strided<[1, 4], offset: ?>> to memref<4x4xf32>
  return
}

func.func @loop_of_copies(%x: memref<8xf32>, %y: memref<8xf32>) {
  linalg.copy ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
