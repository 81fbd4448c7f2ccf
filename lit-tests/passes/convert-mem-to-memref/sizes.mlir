// Arenas, views, slices and buffers of sizes known only at run time.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref,expand-strided-metadata,finalize-memref-to-llvm)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: mem.
// LLVM-NOT: memref.view

func.func private @callee(!mem.arena)

// CHECK-LABEL: func.func @arena
// CHECK-SAME: (%[[N:.*]]: index, %[[OFFSET:.*]]: index)
func.func @arena(%n: index, %offset: index) {
  // CHECK: %[[ARENA:.*]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?xi8>
  %arena = mem.arena "sram", %n {alignment = 64} : !mem.arena
  // CHECK: memref.view %[[ARENA]][%[[OFFSET]]][] : memref<?xi8> to memref<4xf32>
  %x = mem.view %arena[%offset] : !mem.arena -> memref<4xf32>
  // CHECK: memref.view %[[ARENA]][%[[OFFSET]]][%[[N]]] : memref<?xi8> to memref<?xi8>
  %b = mem.view %arena[%offset, %n] : !mem.arena -> !mem.buffer<?>
  %0 = mem.descriptor %b[0, %n] : !mem.buffer<?> -> memref<?xi8>
  // CHECK: %[[C16:.*]] = arith.constant 16
  // CHECK: %[[AT:.*]] = arith.addi %[[OFFSET]], %[[C16]]
  // CHECK: memref.view %[[ARENA]][%[[AT]]][] : memref<?xi8> to memref<4xf32>
  %1 = mem.descriptor %b[16, 16] : !mem.buffer<?> -> memref<4xf32>
  // CHECK: %[[SUM:.*]] = arith.addi %[[OFFSET]], %[[N]]
  // CHECK: memref.view %[[ARENA]][%[[SUM]]][] : memref<?xi8> to memref<4xf32>
  %2 = mem.descriptor %b[%n, 16] : !mem.buffer<?> -> memref<4xf32>
  linalg.exp ins(%1 : memref<4xf32>) outs(%2 : memref<4xf32>)
  linalg.exp ins(%1 : memref<4xf32>) outs(%x : memref<4xf32>)
  // CHECK: %[[C64:.*]] = arith.constant 64
  // CHECK: memref.view %[[ARENA]][%[[OFFSET]]][%[[C64]]] : memref<?xi8> to memref<?xi8>
  %s = mem.slice %arena[%offset, 64] : !mem.arena -> !mem.arena
  call @callee(%s) : (!mem.arena) -> ()
  // CHECK: memref.dealloc %[[ARENA]]
  return
}

// CHECK-LABEL: func.func @never_planned
// CHECK-SAME: (%[[N:.*]]: index)
func.func @never_planned(%n: index) -> memref<?xi8> {
  // CHECK: memref.alloc(%[[N]]) {alignment = 16 : i64} : memref<?xi8>
  %b = mem.buffer[%n] {alignment = 16} : !mem.buffer<?>
  %0 = mem.descriptor %b[0, %n] : !mem.buffer<?> -> memref<?xi8>
  return %0 : memref<?xi8>
}

// Addresses are compared with the dynamic size of the slot.
// CHECK-LABEL: func.func @rotation
func.func @rotation(%n: index, %old: memref<?xi8>) -> memref<?xi8> {
  %arena = mem.arena "sram", %n : !mem.arena
  %a = mem.view %arena[0, %n] : !mem.arena -> !mem.buffer<?>
  %b = mem.view %arena[%n, %n] : !mem.arena -> !mem.buffer<?>
  // CHECK: %[[SIZE:.*]] = memref.dim
  // CHECK: arith.cmpi ult, %{{.*}}, %[[SIZE]]
  // CHECK: arith.select {{.*}} : memref<?xi8>
  %slot = mem.rotate(%a, %b) avoiding(%old : memref<?xi8>) : !mem.buffer<?>
  %0 = mem.descriptor %slot[0, %n] : !mem.buffer<?> -> memref<?xi8>
  return %0 : memref<?xi8>
}
