// A rotation compares addresses and selects the first slot that no avoided memref points into.
// The last slot needs no test, because there is one slot more than there are memrefs to avoid.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref,canonicalize,cse)' -o /dev/null

// CHECK-LABEL: func.func @two
// CHECK-SAME: (%[[OLD:.*]]: memref<4xf32>)
func.func @two(%old: memref<4xf32>) {
  %arena = mem.arena "arena", 32 : !mem.arena
  // CHECK-DAG: %[[A:.*]] = memref.view %{{.*}}[%{{.*}}][] : memref<32xi8> to memref<16xi8>
  %a = mem.view %arena[0] : !mem.arena -> !mem.buffer<16>
  %b = mem.view %arena[16] : !mem.arena -> !mem.buffer<16>
  // CHECK: memref.extract_aligned_pointer_as_index %[[OLD]]
  // CHECK: arith.subi
  // The comparison is unsigned: the offset of a pointer below the slot wraps to a large value.
  // CHECK: %[[BUSY:.*]] = arith.cmpi ult
  // CHECK-NOT: arith.cmpi
  // CHECK: %[[SLOT:.*]] = arith.select %[[BUSY]], %{{.*}}, %{{.*}} : memref<16xi8>
  %slot = mem.rotate(%a, %b) avoiding(%old : memref<4xf32>) : !mem.buffer<16>
  // CHECK: memref.view %[[SLOT]][%{{.*}}][] : memref<16xi8> to memref<4xf32>
  %new = mem.descriptor %slot[0, 16] : !mem.buffer<16> -> memref<4xf32>
  mem.kernel "step" uses(%old : memref<4xf32>) defines(%new : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @three
func.func @three(%old: memref<4xf32>, %older: memref<4xf32>) {
  %arena = mem.arena "arena", 48 : !mem.arena
  %a = mem.view %arena[0] : !mem.arena -> !mem.buffer<16>
  %b = mem.view %arena[16] : !mem.arena -> !mem.buffer<16>
  %c = mem.view %arena[32] : !mem.arena -> !mem.buffer<16>
  // CHECK-COUNT-4: arith.cmpi ult
  // CHECK-NOT: arith.cmpi
  %slot = mem.rotate(%a, %b, %c) avoiding(%old, %older : memref<4xf32>, memref<4xf32>) : !mem.buffer<16>
  %new = mem.descriptor %slot[0, 16] : !mem.buffer<16> -> memref<4xf32>
  mem.kernel "step" uses(%old, %older : memref<4xf32>, memref<4xf32>) defines(%new : memref<4xf32>)
  return
}
