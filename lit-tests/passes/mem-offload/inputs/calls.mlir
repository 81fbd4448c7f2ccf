func.func @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %own = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%own : memref<16x16xf32>)
  linalg.transpose ins(%own : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  %u = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%u : memref<16x16xf32>)
  func.call @callee(%u, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  linalg.add ins(%t, %u : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
  return
}
