// The original of ../races.mlir: every function copies at once.

func.func @accepted_dma(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

func.func @accepted_calls(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

func.func @no_wait(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  return
}

func.func @no_wait_for_call(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  return
}

func.func @late_wait(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

func.func @late_wait_for_call(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

func.func @read_in_flight(%x: memref<16xf32>, %y: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  return %v : f32
}

func.func @source_overwritten(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

func.func @freed_in_flight(%x: memref<16xf32>, %y: memref<16xf32>) {
  return
}

func.func @awaited_on_one_path(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  scf.if %p {
  }
  return
}

func.func @other_tag(%x: memref<16xf32>, %y: memref<16xf32>) {
  return
}

func.func @other_ticket(%x: memref<16xf32>, %y: memref<16xf32>, %t: i64) {
  return
}

func.func @started_again(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
  }
  return
}

func.func @part(%x: memref<16xf32>, %y: memref<16xf32>) {
  return
}

func.func @strided(%x: memref<16xf32>, %y: memref<16xf32>) {
  return
}

func.func @too_few_bytes(%x: memref<16xf32>, %y: memref<16xf32>) {
  return
}

func.func @other_address(%x: memref<16xf32>, %y: memref<16xf32>) {
  return
}
