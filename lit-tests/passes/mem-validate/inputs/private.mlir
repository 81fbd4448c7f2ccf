func.func private @called(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
func.func private @referenced(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
func.func private @of_different(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
func.func private @not_called(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}
func.func @equal(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @called(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  call @referenced(%b, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @different(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @of_different(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @address() -> ((memref<4xf32>, memref<4xf32>) -> ()) {
  %f = constant @referenced : (memref<4xf32>, memref<4xf32>) -> ()
  return %f : (memref<4xf32>, memref<4xf32>) -> ()
}
