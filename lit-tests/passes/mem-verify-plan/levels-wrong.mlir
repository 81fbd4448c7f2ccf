// Incorrect plans in which tensors have several placements: each of them would read the wrong bytes.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

// The wait is missing.
func.func @not_there_yet(%w: memref<16xf32>, %out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %w0 = mem.view %sram[0] {name = "w"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %w0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  // expected-note @+1 {{which starts here}}
  %t = mem.load async %w to %fast : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{touches 'w' before the transfer of its bytes is waited for}}
  mem.kernel "use" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  mem.wait %t
  return
}

// -----

// The source of a transfer in flight is overwritten.
func.func @source_changes(%out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%fast : memref<16xf32>)
  // expected-note @+1 {{which starts here}}
  %t = mem.store async %fast to %slow : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{touches 'a' before the transfer of its bytes is waited for}}
  mem.kernel "a again" defines(%fast : memref<16xf32>)
  mem.wait %t
  mem.kernel "use" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// The transfer is missing.
func.func @never_fetched(%out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "a" defines(%slow : memref<16xf32>)
  // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
  mem.kernel "use" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// Fetched once, but modified in every iteration.
func.func @old_in_the_next_round(%n: index, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%slow : memref<16xf32>)
  mem.load %slow to %fast : memref<16xf32> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{reads 'a', whose bytes [16, 32) are not up to date here}}
    mem.kernel "use" uses(%fast : memref<16xf32>) may_defines(%out : memref<16xf32>)
    %part = memref.subview %slow[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
    // expected-note @+1 {{since this operation}}
    mem.kernel "change" defines(%part : memref<4xf32, strided<[1], offset: 4>>)
  }
  return
}

// -----

// A swap leaves its source undefined.
func.func @read_after_swap(%out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%fast : memref<16xf32>)
  // expected-note @+1 {{since this operation}}
  mem.swap %fast to %slow : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
  mem.kernel "use" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// Swapped back in on every path, although it was swapped out on only one.
func.func @on_one_way(%p: i1, %out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %fast = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%fast : memref<16xf32>)
  scf.if %p {
    mem.swap %fast to %slow : memref<16xf32> to memref<16xf32>
  }
  // expected-note @+1 {{since this operation}}
  mem.swap %slow to %fast : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
  mem.kernel "use" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// The operand has been modified.
func.func @computed_from_something_else(%x: memref<16xf32>, %out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @+1 {{by this operation}}
  mem.kernel "change" defines(%x : memref<16xf32>)
  // expected-error @+1 {{recomputes what cannot be recomputed here: operand 'arg0' may have changed}}
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.kernel "use" uses(%a : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

func.func @never_computed(%x: memref<16xf32>, %out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-error @+1 {{is marked as a repetition, but no earlier operation does the same}}
  linalg.log {mem.recompute} ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.kernel "use" uses(%a : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// The caller reads the result from its home location, which is stale.
// expected-error @+1 {{'out' is not up to date when the function returns}}
func.func @not_written_back(%out: memref<16xf32> {mem.name = "out"}) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %out0 = mem.view %sram[0] {name = "out"} : !mem.arena -> !mem.buffer<64>
  %result = mem.descriptor %out0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "out" defines(%result : memref<16xf32>)
  return
}

// -----

// Copied to different bytes of the tensor.
func.func @shifted(%out: memref<16xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %low = mem.descriptor %a0[0, 32] : !mem.buffer<64> -> memref<8xf32>
  %high = mem.descriptor %a1[32, 32] : !mem.buffer<64> -> memref<8xf32>
  mem.kernel "a" defines(%low : memref<8xf32>)
  // expected-note @+1 {{since this operation}}
  mem.store %low to %high : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{reads 'a', whose bytes [32, 64) are not up to date here}}
  mem.kernel "use" uses(%high : memref<8xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// A second, valid placement does not excuse overwriting the first one, which may be read through a merge.
func.func @carried(%p: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %c = mem.view %l0[64] {name = "c"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%in : memref<16xf32>) outs(%c : memref<16xf32>)
  mem.store %a to %ah : memref<16xf32> to memref<16xf32>
  %x = arith.select %p, %a, %c : memref<16xf32>
  // expected-note @+1 {{by this operation}}
  mem.kernel "b" defines(%b : memref<16xf32>)
  // expected-error @+1 {{reads 'a', over which 'b' may have been written}}
  mem.kernel "use" uses(%b, %x : memref<16xf32>, memref<16xf32>) may_defines(%out : memref<16xf32>)
  mem.kernel "use" uses(%ah : memref<16xf32>) may_defines(%out : memref<16xf32>)
  return
}

// -----

// While the transfer is in flight, the tensor changes in a third place: what arrives is stale.
func.func @changes_elsewhere(%x: memref<16xf32>, %out: memref<16xf32>) {
  %sram = mem.arena "sram", 128 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a1 = mem.view %sram[64] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %a2 = mem.view %dram[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %first = mem.descriptor %a0[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %second = mem.descriptor %a1[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %slow = mem.descriptor %a2[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%slow : memref<16xf32>)
  // expected-note @+1 {{since this operation}}
  %t = mem.load async %slow to %second : memref<16xf32> to memref<16xf32>
  linalg.log ins(%x : memref<16xf32>) outs(%first : memref<16xf32>)
  mem.wait %t
  // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
  linalg.exp ins(%second : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
