// An arena becomes one allocation, freed at every return. Placements become
// views of its bytes, and their types are unchanged. Slices and arena arguments
// become bytes of dynamic size. Unplanned buffers become allocations again.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' \
// RUN:   | FileCheck %s --implicit-check-not='mem.arena' --implicit-check-not='mem.view' \
// RUN:       --implicit-check-not='mem.descriptor' --implicit-check-not='!mem.' --implicit-check-not='#mem.'

// CHECK: module {
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">>} {
  // CHECK-LABEL: func.func @two_returns
  // CHECK-SAME: (%arg0: i1, %[[OUT:.*]]: memref<4xf32>)
  func.func @two_returns(%c: i1, %out: memref<4xf32> {mem.role = #mem.role<output>}) {
    // CHECK: %[[BYTES:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
    %sram = mem.arena "sram", 128 {alignment = 64 : i64} : !mem.arena
    // CHECK: %[[C16:.*]] = arith.constant 16 : index
    // CHECK: %[[VIEW:.*]] = memref.view %[[BYTES]][%[[C16]]][] : memref<128xi8> to memref<4xf32>
    %b = mem.view %sram[16] : !mem.arena -> !mem.buffer<16>
    %d = mem.descriptor %b[0, 16] : !mem.buffer<16> -> memref<4xf32>
    cf.cond_br %c, ^one, ^two
  ^one:
    // CHECK: memref.copy %[[VIEW]], %[[OUT]]
    memref.copy %d, %out : memref<4xf32> to memref<4xf32>
    // CHECK: memref.dealloc %[[BYTES]] : memref<128xi8>
    // CHECK-NEXT: return
    return
  ^two:
    // CHECK: memref.dealloc %[[BYTES]] : memref<128xi8>
    // CHECK-NEXT: return
    return
  }

  // A view that is a memref, without an intermediate buffer.
  // CHECK-LABEL: func.func @memref_view
  func.func @memref_view(%v: f32) {
    %sram = mem.arena "sram", 64 : !mem.arena
    // CHECK: %[[C32:.*]] = arith.constant 32 : index
    // CHECK: memref.view %{{.*}}[%[[C32]]][] : memref<64xi8> to memref<2x4xf32>
    %x = mem.view %sram[32] : !mem.arena -> memref<2x4xf32>
    linalg.fill ins(%v : f32) outs(%x : memref<2x4xf32>)
    return
  }

  // CHECK-LABEL: func.func private @callee
  // CHECK-SAME: (%[[BYTES:.*]]: memref<?xi8>)
  func.func private @callee(%arena: !mem.arena) {
    // CHECK: memref.view %[[BYTES]][%{{.*}}][] : memref<?xi8> to memref<4xf32>
    %b = mem.view %arena[0] : !mem.arena -> !mem.buffer<16>
    %d = mem.descriptor %b[0, 16] : !mem.buffer<16> -> memref<4xf32>
    mem.kernel "w" defines(%d : memref<4xf32>)
    // CHECK-NOT: memref.dealloc
    return
  }
  // CHECK-LABEL: func.func @caller
  func.func @caller() {
    // CHECK: %[[BYTES:.*]] = memref.alloc() : memref<64xi8>
    %arena = mem.arena "sram", 64 : !mem.arena
    // CHECK: %[[SLICE:.*]] = memref.view %[[BYTES]][%{{.*}}][%{{.*}}] : memref<64xi8> to memref<?xi8>
    %slice = mem.slice %arena[16, 32] : !mem.arena -> !mem.arena
    // CHECK: call @callee(%[[SLICE]]) : (memref<?xi8>) -> ()
    call @callee(%slice) : (!mem.arena) -> ()
    // The whole arena.
    // CHECK: %[[WHOLE:.*]] = memref.cast %[[BYTES]] : memref<64xi8> to memref<?xi8>
    // CHECK: call @callee(%[[WHOLE]]) : (memref<?xi8>) -> ()
    call @callee(%arena) : (!mem.arena) -> ()
    return
  }

  // CHECK-LABEL: func.func @unplanned
  func.func @unplanned() {
    // CHECK: %[[BYTES:.*]] = memref.alloc() {alignment = 32 : i64} : memref<64xi8>
    %b = mem.buffer {name = "b", alignment = 32} : !mem.buffer<64>
    // CHECK: memref.view %[[BYTES]][%{{.*}}][] : memref<64xi8> to memref<4xf32>
    %d = mem.descriptor %b[16, 16] : !mem.buffer<64> -> memref<4xf32>
    mem.kernel "w" defines(%d : memref<4xf32>)
    return
  }

  // Arenas of different sizes reach the same value, so all of them become bytes of dynamic size there.
  // CHECK-LABEL: func.func @meet
  func.func @meet(%c: i1) {
    // CHECK: %[[BYTES:.*]] = memref.alloc() : memref<64xi8>
    // CHECK: %[[ARENA:.*]] = memref.cast %[[BYTES]] : memref<64xi8> to memref<?xi8>
    %arena = mem.arena "sram", 64 : !mem.arena
    %slice = mem.slice %arena[0, 32] : !mem.arena -> !mem.arena
    // CHECK: arith.select %{{.*}}, %[[ARENA]], %{{.*}} : memref<?xi8>
    %s = arith.select %c, %arena, %slice : !mem.arena
    %v = mem.view %s[0] : !mem.arena -> memref<4xf32>
    mem.kernel "w" defines(%v : memref<4xf32>)
    // CHECK: cf.br ^{{.*}}(%[[ARENA]] : memref<?xi8>)
    cf.br ^next(%arena : !mem.arena)
  ^next(%x: !mem.arena):
    %w = mem.view %x[0] : !mem.arena -> memref<4xf32>
    mem.kernel "w" defines(%w : memref<4xf32>)
    // CHECK: memref.dealloc %[[BYTES]]
    return
  }

  // Buffers that are passed between functions become bytes, in signatures as well.
  // CHECK-LABEL: func.func private @hands_on
  // CHECK-SAME: (%[[B:.*]]: memref<64xi8>) -> memref<64xi8>
  func.func private @hands_on(%b: !mem.buffer<64>) -> !mem.buffer<64> {
    // CHECK: return %[[B]] : memref<64xi8>
    return %b : !mem.buffer<64>
  }
  // CHECK-LABEL: func.func @gets_back
  func.func @gets_back(%c: i1) {
    // CHECK: %[[B:.*]] = memref.alloc() : memref<64xi8>
    %b = mem.buffer : !mem.buffer<64>
    // CHECK: %[[R:.*]] = call @hands_on(%[[B]]) : (memref<64xi8>) -> memref<64xi8>
    %r = call @hands_on(%b) : (!mem.buffer<64>) -> !mem.buffer<64>
    // CHECK: %[[S:.*]] = arith.select %{{.*}}, %[[B]], %[[R]] : memref<64xi8>
    %s = arith.select %c, %b, %r : !mem.buffer<64>
    // CHECK: memref.view %[[S]]
    %d = mem.descriptor %s[0, 4] : !mem.buffer<64> -> memref<f32>
    mem.kernel "w" defines(%d : memref<f32>)
    return
  }
  // CHECK: func.func private @declared(memref<64xi8>, memref<?xi8>)
  func.func private @declared(!mem.buffer<64>, !mem.arena)
}
