// The originals of places.mlir and places-unknown.mlir.

func.func @after_each_other(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<16xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.exp ins(%z : memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.mul ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  linalg.log ins(%c : memref<16xf32>) outs(%z : memref<16xf32>)
  return
}

func.func @after_the_larger(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<16xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%z : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.log ins(%b : memref<16xf32>) outs(%z : memref<16xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.mul ins(%a, %c : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

func.func @matrices(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = memref.dim %x, %0 : memref<?x?xf32>
  %m = memref.dim %x, %1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.log ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  linalg.mul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

func.func @in_a_loop(%x: memref<?xf32>, %y: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %16 = arith.constant 16 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc() : memref<1xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  scf.for %i = %0 to %16 step %1 {
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %b[%0] : memref<1xf32>
    linalg.log ins(%a : memref<?xf32>) outs(%a : memref<?xf32>)
    %w = memref.load %b[%0] : memref<1xf32>
    %s = arith.addf %w, %w : f32
    memref.store %s, %y[%i] : memref<16xf32>
  }
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %16 = arith.constant 16 : index
  %a = memref.alloc() : memref<1xf32>
  %u = memref.load %y[%0] : memref<16xf32>
  memref.store %u, %a[%0] : memref<1xf32>
  scf.for %i = %0 to %16 step %1 {
    %v = memref.load %a[%0] : memref<1xf32>
    memref.store %v, %y[%i] : memref<16xf32>
    %w = memref.load %x[%i] : memref<16xf32>
    memref.store %w, %a[%0] : memref<1xf32>
  }
  return
}

func.func @allocated_before(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %16 = arith.constant 16 : index
  %a = memref.alloc() : memref<1xf32>
  scf.for %i = %0 to %16 step %1 {
    %v = memref.load %a[%0] : memref<1xf32>
    memref.store %v, %y[%i] : memref<16xf32>
    %w = memref.load %x[%i] : memref<16xf32>
    memref.store %w, %a[%0] : memref<1xf32>
  }
  return
}

func.func @two_more(%x: memref<?xf32>, %y: memref<1xf32>, %n: index, %m: index) {
  %2 = arith.constant 2 : index
  %size = arith.addi %n, %2 : index
  %0 = arith.constant 0 : index
  %a = memref.alloc(%size) : memref<?xf32>
  %b = memref.alloc() : memref<1xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%y : memref<1xf32>) outs(%b : memref<1xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.log ins(%b : memref<1xf32>) outs(%y : memref<1xf32>)
  return
}

func.func @sum(%x: memref<?xf32>, %y: memref<1xf32>, %n: index, %m: index) {
  %size = arith.addi %n, %m : index
  %0 = arith.constant 0 : index
  %a = memref.alloc(%size) : memref<?xf32>
  %b = memref.alloc() : memref<1xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%y : memref<1xf32>) outs(%b : memref<1xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.log ins(%b : memref<1xf32>) outs(%y : memref<1xf32>)
  return
}

func.func @one_more(%x: memref<?xf32>, %y: memref<4xf32>, %n: index) {
  %1 = arith.constant 1 : index
  %size = arith.addi %n, %1 : index
  %a = memref.alloc(%size) : memref<?xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.log ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
