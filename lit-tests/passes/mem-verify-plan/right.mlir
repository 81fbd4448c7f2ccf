// Correct plans: no diagnostics, and no change to the module.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics -o %t
// RUN: mem-opt %s | diff - %t

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 256, alignment = 64>, #mem.level<"dram">>} {
  // Two tensors use the same bytes, one after the other.
  func.func @one_after_the_other(%out: memref<16xf32>) {
    %arena = mem.arena "sram", 128 {alignment = 64} : !mem.arena
    %a = mem.view %arena[0] {name = "a", alignment = 64} : !mem.arena -> !mem.buffer<64>
    %b = mem.view %arena[64] {name = "b", alignment = 64} : !mem.arena -> !mem.buffer<64>
    %c = mem.view %arena[0] {name = "c", alignment = 64} : !mem.arena -> !mem.buffer<64>
    %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
    %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
    %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
    mem.kernel "a" defines(%va : memref<16xf32>)
    mem.kernel "b" uses(%va : memref<16xf32>) defines(%vb : memref<16xf32>)
    mem.kernel "c" uses(%vb : memref<16xf32>) defines(%vc : memref<16xf32>)
    memref.copy %vc, %out : memref<16xf32> to memref<16xf32>
    return
  }

  // Elementwise, in place.
  func.func @in_place(%out: memref<16xf32>) {
    %arena = mem.arena "sram", 64 {alignment = 64} : !mem.arena
    %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
    %b = mem.view %arena[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
    %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
    %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
    mem.kernel "a" defines(%va : memref<16xf32>)
    linalg.exp ins(%va : memref<16xf32>) outs(%vb : memref<16xf32>)
    memref.copy %vb, %out : memref<16xf32> to memref<16xf32>
    return
  }

  // Views that are memrefs, in arenas of two levels: equal offsets are different addresses.
  func.func @two_levels(%out: memref<16xf32>) {
    %sram = mem.arena "sram", 64 {alignment = 64} : !mem.arena
    %dram = mem.arena "dram", 64 : !mem.arena
    %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<16xf32, #mem.space<"sram">>
    %b = mem.view %dram[0] {name = "b"} : !mem.arena -> memref<16xf32, #mem.space<"dram">>
    mem.kernel "a" defines(%a : memref<16xf32, #mem.space<"sram">>)
    mem.kernel "b" uses(%a : memref<16xf32, #mem.space<"sram">>) defines(%b : memref<16xf32, #mem.space<"dram">>)
    mem.kernel "use" uses(%a, %b : memref<16xf32, #mem.space<"sram">>, memref<16xf32, #mem.space<"dram">>)
               may_defines(%b : memref<16xf32, #mem.space<"dram">>)
    return
  }

  // Rotation between slots.
  func.func @rotation(%n: index, %out: memref<64xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %arena = mem.arena "dram", 192 : !mem.arena
    %init = mem.view %arena[128] {name = "init"} : !mem.arena -> !mem.buffer<64>
    %0 = mem.descriptor %init[0, 64] : !mem.buffer<64> -> memref<64xi8>
    mem.kernel "init" defines(%0 : memref<64xi8>)
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<64xi8>) {
      %s0 = mem.view %arena[0] {name = "state.slot0"} : !mem.arena -> !mem.buffer<64>
      %s1 = mem.view %arena[64] {name = "state.slot1"} : !mem.arena -> !mem.buffer<64>
      %state = mem.rotate(%s0, %s1) avoiding(%old : memref<64xi8>) : !mem.buffer<64>
      %1 = mem.descriptor %state[0, 64] : !mem.buffer<64> -> memref<64xi8>
      mem.kernel "step" uses(%old : memref<64xi8>) defines(%1 : memref<64xi8>)
      scf.yield %1 : memref<64xi8>
    }
    memref.copy %r, %out : memref<64xi8> to memref<64xi8>
    return
  }

  // The bytes of a callee are free again after the call.
  func.func private @callee(%x: memref<64xi8>, %arena: !mem.arena) {
    %t = mem.view %arena[0] {name = "t", alignment = 16} : !mem.arena -> !mem.buffer<64>
    %0 = mem.descriptor %t[0, 64] : !mem.buffer<64> -> memref<64xi8>
    memref.copy %x, %0 : memref<64xi8> to memref<64xi8>
    memref.copy %0, %x : memref<64xi8> to memref<64xi8>
    return
  }
  func.func @caller(%x: memref<64xi8>) {
    %arena = mem.arena "dram", 64 {alignment = 16} : !mem.arena
    %slice = mem.slice %arena[0, 64] : !mem.arena -> !mem.arena
    call @callee(%x, %slice) : (memref<64xi8>, !mem.arena) -> ()
    %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
    %0 = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<64xi8>
    memref.copy %x, %0 : memref<64xi8> to memref<64xi8>
    memref.copy %0, %x : memref<64xi8> to memref<64xi8>
    return
  }

  // For every n, a directly follows b in the arena.
  func.func @sizes(%n: index, %out: memref<?xi8>) {
    %c2 = arith.constant 2 : index
    %peak = arith.muli %n, %c2 : index
    %arena = mem.arena "dram", %peak : !mem.arena
    %a = mem.view %arena[%n, %n] {name = "a"} : !mem.arena -> !mem.buffer<?>
    %b = mem.view %arena[0, %n] {name = "b"} : !mem.arena -> !mem.buffer<?>
    %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
    %1 = mem.descriptor %b[0, %n] : !mem.buffer<?> -> memref<?xi8>
    mem.kernel "a" defines(%0 : memref<?xi8>)
    mem.kernel "b" uses(%0 : memref<?xi8>) defines(%1 : memref<?xi8>)
    mem.kernel "use" uses(%0, %1 : memref<?xi8>, memref<?xi8>) defines(%out : memref<?xi8>)
    return
  }
}
