// The next pass reuses analysis results unless its assumptions differ or the IR has changed.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads{noalias-arguments=true},mem-dead-store-elimination)' \
// RUN:   | FileCheck %s --check-prefix=ALIAS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads,mem-dead-store-elimination{noalias-arguments=true})' \
// RUN:   | FileCheck %s --check-prefix=NOALIAS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads,func.func(lower-affine,canonicalize),mem-dead-store-elimination)' \
// RUN:   | FileCheck %s --check-prefix=ALIAS

// Without MLIR's verifier after a pass, analysis results of the program before it are dropped all the same: the
// reads of the second run are those of the remaining operations, none of which is a load.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads,mem-dead-store-elimination{verify=false},func.func(canonicalize),mem-print-dependence{output=-})' \
// RUN:   -o %t.mlir | FileCheck %s --check-prefix=UNVERIFIED
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-store-elimination{verify=false noalias-arguments=true},mem-print-dependence{noalias-arguments=true output=-})' \
// RUN:   -o %t.mlir | FileCheck %s --check-prefix=ONE

// UNVERIFIED-COUNT-2: memref.store
// ONE-COUNT-1: memref.store
// ONE-NOT: memref.store

// If the arguments alias, the load may read the first store.
// ALIAS-COUNT-2: memref.store
// NOALIAS-COUNT-1: memref.store
// NOALIAS-NOT: memref.store
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %x: f32, %y: f32) -> f32 {
  %c0 = affine.apply affine_map<() -> (0)> ()
  memref.store %x, %a[%c0] : memref<8xf32>
  %z = memref.load %b[%c0] : memref<8xf32>
  memref.store %y, %a[%c0] : memref<8xf32>
  return %z : f32
}
