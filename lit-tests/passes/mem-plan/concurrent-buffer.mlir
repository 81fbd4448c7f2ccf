// Each iteration of a parallel loop needs its own buffer, so such a buffer gets no address, and a
// remark says why. Lowering turns it back into an allocation.

// RUN: mem-opt %s -split-input-file -verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s

// CHECK-LABEL: @concurrent
// CHECK-NOT: mem.arena
// CHECK: mem.buffer
module {
  func.func @concurrent(%y: memref<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      // expected-remark @+1 {{buffer gets no address: it is inside an operation that may run its regions concurrently}}
      %b = mem.buffer {name = "b"} : !mem.buffer<64>
      %v = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
      mem.kernel "k" uses(%y : memref<16xf32>) defines(%v : memref<16xf32>)
    }
    return
  }
}
