// The next pass reuses analysis results unless its assumptions differ or the IR has changed.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads{noalias-arguments=true},mem-dead-store-elimination)' \
// RUN:   | FileCheck %s --check-prefix=ALIAS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads,mem-dead-store-elimination{noalias-arguments=true})' \
// RUN:   | FileCheck %s --check-prefix=NOALIAS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-check-reads,func.func(lower-affine,canonicalize),mem-dead-store-elimination)' \
// RUN:   | FileCheck %s --check-prefix=ALIAS

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
