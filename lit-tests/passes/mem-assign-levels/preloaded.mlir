// A constant that is where it is used first when the program starts: its first load costs nothing, a later one does. Neither do
// loads of arguments.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir},mem-verify-plan)' \
// RUN:   --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/not-preloaded.mlir},mem-verify-plan)' \
// RUN:   --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=PAID
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir strategy=exact},mem-verify-plan)' \
// RUN:   --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=FREE

// Three reads of 64 bytes in the fast level, a cycle each, and one write to the slow one: 10 + 64; the constant is loaded for
// nothing, and the argument is read where it is: 10 + 64.
// FREE: (S) 1 transfers
// FREE: (S) 151 cost
// Loading it costs 10 + 64, and 1 to write it; three reads in the slow level would cost more.
// PAID: (S) 1 transfers
// PAID: (S) 226 cost

memref.global "private" constant @w : memref<64xi8> = dense<1>

func.func @main(%x: memref<64xi8>, %y: memref<64xi8>) {
  %w = memref.get_global @w : memref<64xi8>
  mem.kernel "a" uses(%w : memref<64xi8>)
  mem.kernel "b" uses(%w : memref<64xi8>)
  mem.kernel "c" uses(%w, %x : memref<64xi8>, memref<64xi8>) defines(%y : memref<64xi8>)
  return
}
