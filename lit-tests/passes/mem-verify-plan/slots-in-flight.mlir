// Rotating slots are ordinary storage: a transfer in flight locks its bytes against writes to any of
// them. A slot chosen at run time may be the one that shares bytes with the transfer.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

// The transfer has completed when the slots are written.
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"l0", capacity = 262144, alignment = 4, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>, #mem.level<"l1", alignment = 8, read = (latency = 40, bandwidth = 1.0), write = (latency = 40, bandwidth = 1.0)>, engines = [#mem.engine<"dma", "l0" to "l1", "l1" to "l0">], compute = 2.0>} {
  func.func @main(%in: memref<1024xf32>, %out: memref<1024xf32>, %out2: memref<1024xf32>) {
    %l0 = mem.arena "l0", 12288 {alignment = 4 : i64} : !mem.arena
    %l1 = mem.arena "l1", 4096 {alignment = 8 : i64} : !mem.arena
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %b = mem.view %l0[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> !mem.buffer<4096>
    %0 = mem.descriptor %b[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    memref.copy %in, %0 : memref<1024xf32> to memref<1024xf32>
    %bh = mem.view %l1[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> !mem.buffer<4096>
    %h = mem.descriptor %bh[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    %t = mem.store async %0 to %h : memref<1024xf32> to memref<1024xf32>
    mem.wait %t
    %init = mem.view %l0[8192] {alignment = 4 : i64, name = "i"} : !mem.arena -> !mem.buffer<4096>
    %i0 = mem.descriptor %init[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    linalg.exp ins(%in : memref<1024xf32>) outs(%i0 : memref<1024xf32>)
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %i0) -> (memref<1024xf32>) {
      %s0 = mem.view %l0[0] {alignment = 4 : i64, name = "c.slot0"} : !mem.arena -> !mem.buffer<4096>
      %s1 = mem.view %l0[4096] {alignment = 4 : i64, name = "c.slot1"} : !mem.arena -> !mem.buffer<4096>
      %s = mem.rotate(%s0, %s1) avoiding(%x : memref<1024xf32>) : !mem.buffer<4096>
      %d = mem.descriptor %s[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
      linalg.exp ins(%x : memref<1024xf32>) outs(%d : memref<1024xf32>)
      scf.yield %d : memref<1024xf32>
    }
    memref.copy %r, %out2 : memref<1024xf32> to memref<1024xf32>
    %b2 = mem.view %l0[8192] {alignment = 4 : i64, name = "b"} : !mem.arena -> !mem.buffer<4096>
    %2 = mem.descriptor %b2[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    mem.load %h to %2 : memref<1024xf32> to memref<1024xf32>
    memref.copy %2, %out : memref<1024xf32> to memref<1024xf32>
    return
  }
}

// -----

// The source of the transfer is overwritten through a slot.
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"l0", capacity = 262144, alignment = 4, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>, #mem.level<"l1", alignment = 8, read = (latency = 40, bandwidth = 1.0), write = (latency = 40, bandwidth = 1.0)>, engines = [#mem.engine<"dma", "l0" to "l1", "l1" to "l0">], compute = 2.0>} {
  func.func @main(%in: memref<1024xf32>, %out: memref<1024xf32>, %out2: memref<1024xf32>) {
    %l0 = mem.arena "l0", 12288 {alignment = 4 : i64} : !mem.arena
    %l1 = mem.arena "l1", 4096 {alignment = 8 : i64} : !mem.arena
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %b = mem.view %l0[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> !mem.buffer<4096>
    %0 = mem.descriptor %b[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    memref.copy %in, %0 : memref<1024xf32> to memref<1024xf32>
    %bh = mem.view %l1[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> !mem.buffer<4096>
    %h = mem.descriptor %bh[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    // expected-note @+1 {{which starts here}}
    %t = mem.store async %0 to %h : memref<1024xf32> to memref<1024xf32>
    %init = mem.view %l0[8192] {alignment = 4 : i64, name = "i"} : !mem.arena -> !mem.buffer<4096>
    %i0 = mem.descriptor %init[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    linalg.exp ins(%in : memref<1024xf32>) outs(%i0 : memref<1024xf32>)
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %i0) -> (memref<1024xf32>) {
      %s0 = mem.view %l0[0] {alignment = 4 : i64, name = "c.slot0"} : !mem.arena -> !mem.buffer<4096>
      %s1 = mem.view %l0[4096] {alignment = 4 : i64, name = "c.slot1"} : !mem.arena -> !mem.buffer<4096>
      %s = mem.rotate(%s0, %s1) avoiding(%x : memref<1024xf32>) : !mem.buffer<4096>
      %d = mem.descriptor %s[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
      // expected-error @+1 {{touches 'c', which shares bytes with 'b', before the transfer of those is waited for}}
      linalg.exp ins(%x : memref<1024xf32>) outs(%d : memref<1024xf32>)
      scf.yield %d : memref<1024xf32>
    }
    memref.copy %r, %out2 : memref<1024xf32> to memref<1024xf32>
    mem.wait %t
    %b2 = mem.view %l0[8192] {alignment = 4 : i64, name = "b"} : !mem.arena -> !mem.buffer<4096>
    %2 = mem.descriptor %b2[0, 4096] : !mem.buffer<4096> -> memref<1024xf32>
    mem.load %h to %2 : memref<1024xf32> to memref<1024xf32>
    memref.copy %2, %out : memref<1024xf32> to memref<1024xf32>
    return
  }
}
