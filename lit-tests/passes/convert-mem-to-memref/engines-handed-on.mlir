// A ticket of the runtime library can be loop-carried like a token; a DMA tag cannot.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=runtime})' | FileCheck %s
// RUN: mem-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=dma})'

// CHECK-LABEL: func.func @handed_on
func.func @handed_on(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[T:.*]] = call @mem_runtime_begin
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[K:.*]] = %[[T]]) -> (i64)
  // expected-error @+1 {{'mem.load' cannot be lowered to memref: a DMA is waited for by its tag, and its token is handed on}}
  %t = mem.load async %x to %y : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %t) -> !mem.token {
    // CHECK-NEXT: func.call @mem_runtime_wait(%[[K]])
    mem.wait %k
    // CHECK: %[[U:.*]] = func.call @mem_runtime_begin
    // CHECK: scf.yield %[[U]]
    %u = mem.load async %x to %y : memref<16xf32> to memref<16xf32>
    scf.yield %u : !mem.token
  }
  // CHECK: call @mem_runtime_wait(%[[R]])
  mem.wait %r
  return
}
