// Under mpirun, two ranks wait for a send and a receive in another order each: a select says which request comes first.
//
// RUN: mem-run --ranks 2 --rank-limit 300 --compare --poison %s 2>&1 | FileCheck %s
// CHECK-NOT: {{not planned|not validated}}
// CHECK: rank 0 {{ *}}192 {{ *}}1
// CHECK: rank 1 {{ *}}192 {{ *}}1
// CHECK: equal
func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %rank = mpi.comm_rank(%world) : i32
  %other = arith.subi %one, %rank : i32
  %p = arith.cmpi eq, %rank, %tag : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  %e = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %other, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.irecv(%b, %tag, %other, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %r : !mpi.request
  %second = arith.select %p, %r, %s : !mpi.request
  mpi.wait(%first) : !mpi.request
  linalg.tanh ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  mpi.wait(%second) : !mpi.request
  linalg.add ins(%b, %d : memref<16xf32>, memref<16xf32>) outs(%e : memref<16xf32>)
  linalg.exp ins(%e : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
