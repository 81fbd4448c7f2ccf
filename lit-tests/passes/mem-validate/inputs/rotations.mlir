// The original of ../rotations.mlir: every iteration has a result of its own.

func.func @two(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<4xf32>
  memref.copy %x, %first : memref<4xf32> to memref<4xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    linalg.add ins(%old, %x : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    linalg.mul ins(%new, %old : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  }
  memref.copy %last, %y : memref<4xf32> to memref<4xf32>
  return
}

func.func @three(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<4xf32>
  %second = memref.alloc() : memref<4xf32>
  memref.copy %x, %first : memref<4xf32> to memref<4xf32>
  memref.copy %x, %second : memref<4xf32> to memref<4xf32>
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first, %older = %second) -> (memref<4xf32>, memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    linalg.add ins(%old, %older : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    linalg.mul ins(%new, %old : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new, %old : memref<4xf32>, memref<4xf32>
  }
  memref.copy %last#0, %y : memref<4xf32> to memref<4xf32>
  return
}
