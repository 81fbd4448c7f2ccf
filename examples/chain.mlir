// Three tensors, of which at most two are live at once.
func.func @chain(%x: memref<512xf32>, %y: memref<512xf32>) {
  %a = memref.alloc() : memref<512xf32>
  linalg.exp ins(%x : memref<512xf32>) outs(%a : memref<512xf32>)
  %b = memref.alloc() : memref<512xf32>
  linalg.tanh ins(%a : memref<512xf32>) outs(%b : memref<512xf32>)
  %c = memref.alloc() : memref<512xf32>
  linalg.exp ins(%b : memref<512xf32>) outs(%c : memref<512xf32>)
  linalg.tanh ins(%c : memref<512xf32>) outs(%y : memref<512xf32>)
  return
}
