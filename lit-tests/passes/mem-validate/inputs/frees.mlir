func.func private @tensor() -> memref<16xf32>

func.func @main(%x: memref<16xf32>, %y: memref<16xf32>, %c: i1) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %b : memref<16xf32>
  return
}

func.func @outside(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = call @tensor() : () -> memref<16xf32>
  linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %x : memref<16xf32>
  return
}

func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<16xf32>
  memref.copy %x, %first : memref<16xf32> to memref<16xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> memref<16xf32> {
    %next = memref.alloc() : memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%next : memref<16xf32>)
    scf.yield %next : memref<16xf32>
  }
  memref.copy %last, %y : memref<16xf32> to memref<16xf32>
  return
}

func.func @placed(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
