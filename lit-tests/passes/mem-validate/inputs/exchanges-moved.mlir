// The original of exchanges.mlir.
func.func @what_is_sent(%x: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  return
}
func.func @sent(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
