// The inner loop restores what the outer one overwrites after it: only from its second iteration on does
// that change anything.
func.func @restored(%x: memref<4xf32>, %z: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloc() : memref<4xf32>
  linalg.copy ins(%z : memref<4xf32>) outs(%t : memref<4xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      linalg.copy ins(%z : memref<4xf32>) outs(%t : memref<4xf32>)
      linalg.add ins(%t, %t : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
    }
    linalg.copy ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  }
  return
}

// The inner loop changes only %t. What it leaves alone is different in each iteration of the outer one.
func.func @passed(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%s : memref<4xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.tanh ins(%s : memref<4xf32>) outs(%t : memref<4xf32>)
    scf.for %j = %c0 to %c8 step %c1 {
      linalg.add ins(%s, %t : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
    }
    linalg.abs ins(%t : memref<4xf32>) outs(%s : memref<4xf32>)
  }
  linalg.copy ins(%s : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// A loop that changes nothing but memory that callers see.
func.func @external(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1) {
  cf.br ^head
^head:
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  linalg.tanh ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  cf.cond_br %p, ^head, ^exit
^exit:
  return
}
