// Globals, which no model contains: one is constant, the other is mutable.
memref.global "private" constant @k : memref<8xf32> = dense<1.0>
memref.global "private" @state : memref<8xf32> = dense<0.0>

func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
  %k = memref.get_global @k : memref<8xf32>
  %state = memref.get_global @state : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.add ins(%a, %k : memref<8xf32>, memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.exp ins(%t : memref<8xf32>) outs(%u : memref<8xf32>)
  linalg.add ins(%u, %state : memref<8xf32>, memref<8xf32>) outs(%state : memref<8xf32>)
  linalg.mul ins(%u, %t : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  return
}
