// A preloaded constant resides in the level of its first use when the program
// starts: its first load is free, later loads are not. Arguments are not preloaded.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir},mem-verify-plan)' \
// RUN:   --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/not-preloaded.mlir},mem-verify-plan)' \
// RUN:   --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=PAID
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir strategy=exact},mem-verify-plan)' \
// RUN:   --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=FREE

// Three reads of 64 bytes in the fast level take one cycle each, and one write to the slow level
// takes 10 + 64. The load of the constant is free, and the argument is read in place: 10 + 64.
// FREE: (S) 1 transfers
// FREE: (S) 128 traffic
// FREE: (S) 151 cost
// Loading the constant costs 10 + 64, plus 1 to write it. Three reads in the slow level would cost more.
// PAID: (S) 1 transfers
// PAID: (S) 192 traffic
// PAID: (S) 226 cost

memref.global "private" constant @w : memref<64xi8> = dense<1>

func.func @main(%x: memref<64xi8>, %y: memref<64xi8>) {
  %w = memref.get_global @w : memref<64xi8>
  mem.kernel "a" uses(%w : memref<64xi8>)
  mem.kernel "b" uses(%w : memref<64xi8>)
  mem.kernel "c" uses(%w, %x : memref<64xi8>, memref<64xi8>) defines(%y : memref<64xi8>)
  return
}
