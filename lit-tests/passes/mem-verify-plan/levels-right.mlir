// Correct plans in which tensors have several placements and are moved, swapped and rematerialized.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

// Prefetched while another tensor is computed; the result is written back to its home.
func.func @fetched(%w: memref<16xf32> {mem.name = "w"}, %out: memref<16xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 192 : !mem.arena
  %w0 = mem.view %sram[0] {name = "w"} : !mem.arena -> !mem.buffer<64>
  %a0 = mem.view %sram[64] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %out0 = mem.view %sram[128] {name = "out"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %w0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %a = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %result = mem.descriptor %out0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %t = mem.load async %w to %fast : memref<16xf32> to memref<16xf32>
  mem.kernel "a" defines(%a : memref<16xf32>)
  mem.wait %t
  mem.kernel "use" uses(%a, %fast : memref<16xf32>, memref<16xf32>) defines(%result : memref<16xf32>)
  mem.store %result to %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Swapped out and back in: another tensor uses the bytes in between.
func.func @swapped(%out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b0 = mem.view %sram[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %a2 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %b = mem.descriptor %b0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %back = mem.descriptor %a2[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%fast : memref<16xf32>)
  mem.swap %fast to %slow : memref<16xf32> to memref<16xf32>
  mem.kernel "b" defines(%b : memref<16xf32>)
  mem.kernel "use b" uses(%b : memref<16xf32>) may_defines(%out : memref<16xf32>)
  mem.swap %slow to %back : memref<16xf32> to memref<16xf32>
  mem.kernel "use a" uses(%back : memref<16xf32>) may_defines(%out : memref<16xf32>)
  return
}

// -----

// Rematerialized rather than kept; the operand is unchanged.
func.func @computed_again(%x: memref<16xf32>, %out: memref<16xf32> {bufferize.result}) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b0 = mem.view %sram[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %b = mem.descriptor %b0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %again = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.kernel "use a" uses(%a : memref<16xf32>) may_defines(%out : memref<16xf32>)
  mem.kernel "b" defines(%b : memref<16xf32>)
  mem.kernel "use b" uses(%b : memref<16xf32>) may_defines(%out : memref<16xf32>)
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%again : memref<16xf32>)
  mem.kernel "use a" uses(%again : memref<16xf32>) may_defines(%out : memref<16xf32>)
  return
}

// -----

// Clean data is dropped, as the slower level still has a valid copy: in every iteration of a loop, on only one branch.
func.func @dropped(%n: index, %p: i1, %w: memref<16xf32> {mem.name = "w"}, %out: memref<16xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sram = mem.arena "sram", 64 : !mem.arena
  %w0 = mem.view %sram[0] {name = "w"} : !mem.arena -> !mem.buffer<64>
  %b0 = mem.view %sram[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %w0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %b = mem.descriptor %b0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    mem.load %w to %fast : memref<16xf32> to memref<16xf32>
    mem.kernel "use w" uses(%fast : memref<16xf32>) may_defines(%out : memref<16xf32>)
    scf.if %p {
      mem.kernel "b" defines(%b : memref<16xf32>)
      mem.kernel "use b" uses(%b : memref<16xf32>) may_defines(%out : memref<16xf32>)
    }
  }
  return
}

// -----

// One half of a tensor in each level.
func.func @halves(%out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b0 = mem.view %sram[32] {name = "b"} : !mem.arena -> !mem.buffer<32>
  %all = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %low = mem.descriptor %a0[0, 32] : !mem.buffer<64> -> memref<8xf32>
  %high = mem.descriptor %a0[32, 32] : !mem.buffer<64> -> memref<8xf32>
  %away = mem.descriptor %a1[32, 32] : !mem.buffer<64> -> memref<8xf32>
  %b = mem.descriptor %b0[0, 32] : !mem.buffer<32> -> memref<8xf32>
  mem.kernel "a" defines(%all : memref<16xf32>)
  mem.swap %high to %away : memref<8xf32> to memref<8xf32>
  mem.kernel "b" defines(%b : memref<8xf32>)
  mem.kernel "use" uses(%low, %b, %away : memref<8xf32>, memref<8xf32>, memref<8xf32>) may_defines(%out : memref<16xf32>)
  return
}
