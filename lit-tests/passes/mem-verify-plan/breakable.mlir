// Correct plans with features that the models lack: slots beside a transfer in flight, a callee that
// accesses a global, a move within one arena, tensors that reuse one address, and arguments that do
// not alias. `scripts/sabotage.py` breaks each of them.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

// Two slots alternate while a transfer of another tensor is in flight.
func.func @slots_in_flight(%in: memref<16xf32>, %out: memref<16xf32>, %out2: memref<16xf32>) {
  %l0 = mem.arena "l0", 256 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %0 = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %init = mem.view %l0[192] {name = "i"} : !mem.arena -> !mem.buffer<64>
  %i0 = mem.descriptor %init[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%i0 : memref<16xf32>)
  %bh = mem.view %l1[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %h = mem.descriptor %bh[0, 64] : !mem.buffer<64> -> memref<16xf32>
  memref.copy %in, %h : memref<16xf32> to memref<16xf32>
  %t = mem.load async %h to %0 : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %i0) -> (memref<16xf32>) {
    %s0 = mem.view %l0[64] {name = "c.slot0"} : !mem.arena -> !mem.buffer<64>
    %s1 = mem.view %l0[128] {name = "c.slot1"} : !mem.arena -> !mem.buffer<64>
    %s = mem.rotate(%s0, %s1) avoiding(%x : memref<16xf32>) : !mem.buffer<64>
    %d = mem.descriptor %s[0, 64] : !mem.buffer<64> -> memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
    scf.yield %d : memref<16xf32>
  }
  mem.wait %t
  memref.copy %r, %out2 : memref<16xf32> to memref<16xf32>
  memref.copy %0, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The callee accesses the global in its home location.
memref.global "private" @g : memref<16xf32> = uninitialized
func.func private @reads() {
  %g = memref.get_global @g : memref<16xf32>
  mem.kernel "read" uses(%g : memref<16xf32>)
  return
}
func.func @global(%out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %g = memref.get_global @g : memref<16xf32>
  %a = mem.view %l0[0] {name = "@g"} : !mem.arena -> memref<16xf32>
  mem.load %g to %a : memref<16xf32> to memref<16xf32>
  mem.kernel "read" uses(%a : memref<16xf32>)
  mem.kernel "write" defines(%a : memref<16xf32>)
  mem.store %a to %g : memref<16xf32> to memref<16xf32>
  call @reads() : () -> ()
  return
}

// -----

// A move within one arena, in bytes.
func.func @moved(%in: memref<64xi8>, %out: memref<64xi8>) {
  %l0 = mem.arena "l0", 160 : !mem.arena
  %a0 = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %l0[96] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %from = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<64xi8>
  %to = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<64xi8>
  memref.copy %in, %from : memref<64xi8> to memref<64xi8>
  mem.move %from to %to : memref<64xi8> to memref<64xi8>
  memref.copy %to, %out : memref<64xi8> to memref<64xi8>
  return
}

// -----

// A second tensor reuses the address of the first.
func.func @followed(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %c = mem.view %l0[64] {name = "c"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.swap %a to %ah : memref<16xf32> to memref<16xf32>
  linalg.tanh ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.add ins(%c, %ah : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// Rematerialized after another argument has been written.
func.func @told_apart(%x: memref<16xf32> {mem.noalias}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %a0 = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b0 = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %a1 = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a0 : memref<16xf32>)
  memref.copy %a0, %out : memref<16xf32> to memref<16xf32>
  linalg.tanh ins(%x : memref<16xf32>) outs(%b0 : memref<16xf32>)
  memref.copy %b0, %out : memref<16xf32> to memref<16xf32>
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%a1 : memref<16xf32>)
  memref.copy %a1, %out : memref<16xf32> to memref<16xf32>
  return
}
