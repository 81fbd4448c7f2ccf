// By default, messages move only as far as no more bytes are live at once.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests)' | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{peak=any})' | FileCheck %s --check-prefixes=CHECK,ANY

// After the first operation behind it, the bytes of the message are needed for something else.
// CHECK-LABEL: func.func @send
// CHECK: %[[S:.*]] = mpi.isend
// CHECK-NEXT: linalg.tanh
// KEEP-NEXT: mpi.wait(%[[S]])
// CHECK-NEXT: linalg.exp
// ANY: mpi.wait(%[[S]])
// CHECK-NEXT: return
func.func @send(%x: memref<16xf32>, %y: memref<32xf32> {mem.noalias}, %z: memref<48xf32> {mem.noalias}) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  %c = memref.alloc() : memref<48xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.tanh ins(%y : memref<32xf32>) outs(%b : memref<32xf32>)
  linalg.exp ins(%z : memref<48xf32>) outs(%c : memref<48xf32>)
  return
}

// In the loop, the bytes that its body takes count.
// CHECK-LABEL: func.func @receive
// ANY: mpi.irecv
// CHECK: scf.for
// KEEP: mpi.recv
// ANY: mpi.wait
func.func @receive(%x: memref<16xf32>, %y: memref<64xf32> {mem.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%y : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.tanh ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  }
  mpi.recv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
