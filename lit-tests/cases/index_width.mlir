// The `index` type has 64 bits unless the module's data layout says otherwise, and buffers of `index` have the
// size that follows. An allocation whose elements are wider than any supported number stays an allocation.
//
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(convert-memref-to-mem)' | FileCheck %s
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s --check-prefix=PLAN
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-to-memref-pipeline{optimize=false})' -o %t

// CHECK-LABEL: func.func @narrow
// CHECK: mem.buffer {{.*}} : !mem.buffer<32>
// PLAN-LABEL: func.func @narrow
// PLAN: mem.arena "arena", 32
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  func.func @narrow(%a: memref<8xindex>) {
    %t = memref.alloc() : memref<8xindex>
    memref.copy %a, %t : memref<8xindex> to memref<8xindex>
    memref.copy %t, %a : memref<8xindex> to memref<8xindex>
    return
  }
}

// -----

// CHECK-LABEL: func.func @usual
// CHECK: mem.buffer {{.*}} : !mem.buffer<64>
// PLAN-LABEL: func.func @usual
// PLAN: mem.arena "arena", 64
func.func @usual(%a: memref<8xindex>) {
  %t = memref.alloc() : memref<8xindex>
  memref.copy %a, %t : memref<8xindex> to memref<8xindex>
  memref.copy %t, %a : memref<8xindex> to memref<8xindex>
  return
}

// -----

// CHECK-LABEL: func.func @wide
// CHECK: memref.alloc() : memref<8xindex>
// CHECK: mem.buffer {{.*}} : !mem.buffer<32>
// PLAN-LABEL: func.func @wide
// PLAN: mem.arena "arena", 32
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 256 : i32>} {
  func.func @wide(%a: memref<8xindex>, %b: memref<8xf32>) {
    %t = memref.alloc() : memref<8xindex>
    %u = memref.alloc() : memref<8xf32>
    memref.copy %a, %t : memref<8xindex> to memref<8xindex>
    memref.copy %t, %a : memref<8xindex> to memref<8xindex>
    memref.copy %b, %u : memref<8xf32> to memref<8xf32>
    memref.copy %u, %b : memref<8xf32> to memref<8xf32>
    return
  }
}
