// Incorrect plans, each with one mistake, and their diagnostics.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --split-input-file --verify-diagnostics

// "c" overwrites "a", which is read again.
func.func @overlap(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 128 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %c = mem.view %arena[32] {name = "c"} : !mem.arena -> !mem.buffer<64>
  %d = mem.view %arena[64] {name = "d"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%va : memref<16xf32>)
  // expected-note @+1 {{by this operation}}
  mem.kernel "c" defines(%vc : memref<16xf32>)
  // expected-error @+1 {{reads 'a', over which 'c' may have been written}}
  mem.kernel "use" uses(%va : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// An overlap of one byte is enough.
func.func @overlap_by_a_byte(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 127 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %c = mem.view %arena[63] {name = "c"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<64xi8>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "a" defines(%va : memref<64xi8>)
  // expected-note @+1 {{by this operation}}
  mem.kernel "c" defines(%vc : memref<64xi8>)
  // expected-error @+1 {{reads 'a', over which 'c' may have been written}}
  mem.kernel "use" uses(%va : memref<64xi8>) defines(%out : memref<16xf32>)
  return
}

// -----

// On only one of two paths.
func.func @in_a_branch(%p: i1, %out: memref<16xf32>) {
  %arena = mem.arena "sram", 64 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %c = mem.view %arena[0] {name = "c"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%va : memref<16xf32>)
  scf.if %p {
    // expected-note @+1 {{by this operation}}
    mem.kernel "c" defines(%vc : memref<16xf32>)
  }
  // expected-error @+1 {{reads 'a', over which 'c' may have been written}}
  mem.kernel "use" uses(%va : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// In the next iteration.
func.func @around_a_loop(%n: index, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = mem.arena "sram", 64 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%va : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{reads 'a', over which 'c' may have been written}}
    mem.kernel "use" uses(%va : memref<16xf32>) defines(%out : memref<16xf32>)
    %c = mem.view %arena[0] {name = "c"} : !mem.arena -> !mem.buffer<64>
    %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
    // expected-note @+1 {{by this operation}}
    mem.kernel "c" defines(%vc : memref<16xf32>)
  }
  return
}

// -----

// Not elementwise: it reads bytes that it has overwritten.
func.func @not_in_place(%w: memref<4x4xf32>, %out: memref<4xf32>) {
  %arena = mem.arena "sram", 16 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<16>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> !mem.buffer<16>
  %va = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  %vb = mem.descriptor %b[0, 16] : !mem.buffer<16> -> memref<4xf32>
  mem.kernel "a" defines(%va : memref<4xf32>)
  // expected-error @+2 {{reads 'a', over which 'b' may have been written}}
  // expected-note @+1 {{by this operation}}
  linalg.matvec ins(%w, %va : memref<4x4xf32>, memref<4xf32>) outs(%vb : memref<4xf32>)
  memref.copy %vb, %out : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Elementwise, but shifted by one element.
func.func @shifted(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 68 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b = mem.view %arena[4] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%va : memref<16xf32>)
  // expected-error @+2 {{reads 'a', over which 'b' may have been written}}
  // expected-note @+1 {{by this operation}}
  linalg.exp ins(%va : memref<16xf32>) outs(%vb : memref<16xf32>)
  memref.copy %vb, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The rotation avoids nothing.
func.func @rotation_without_care(%n: index, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = mem.arena "dram", 192 : !mem.arena
  %init = mem.view %arena[128] {name = "init"} : !mem.arena -> !mem.buffer<64>
  %0 = mem.descriptor %init[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "init" defines(%0 : memref<64xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<64xi8>) {
    %s0 = mem.view %arena[0] {name = "state.slot0"} : !mem.arena -> !mem.buffer<64>
    %s1 = mem.view %arena[64] {name = "state.slot1"} : !mem.arena -> !mem.buffer<64>
    %state = mem.rotate(%s0, %s1) : !mem.buffer<64>
    %1 = mem.descriptor %state[0, 64] : !mem.buffer<64> -> memref<64xi8>
    // expected-error @+2 {{reads 'state', over which a later instance of it may have been written}}
    // expected-note @+1 {{by this operation}}
    mem.kernel "step" uses(%old : memref<64xi8>) defines(%1 : memref<64xi8>)
    scf.yield %1 : memref<64xi8>
  }
  memref.copy %r, %out : memref<64xi8> to memref<64xi8>
  return
}

// -----

// The slots overlap.
func.func @overlapping_slots(%n: index, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = mem.arena "dram", 192 : !mem.arena
  %init = mem.view %arena[128] {name = "init"} : !mem.arena -> !mem.buffer<64>
  %0 = mem.descriptor %init[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "init" defines(%0 : memref<64xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<64xi8>) {
    %s0 = mem.view %arena[0] {name = "state.slot0"} : !mem.arena -> !mem.buffer<64>
    %s1 = mem.view %arena[32] {name = "state.slot1"} : !mem.arena -> !mem.buffer<64>
    // expected-error @+1 {{the slots of 'state' overlap}}
    %state = mem.rotate(%s0, %s1) avoiding(%old : memref<64xi8>) : !mem.buffer<64>
    %1 = mem.descriptor %state[0, 64] : !mem.buffer<64> -> memref<64xi8>
    mem.kernel "step" uses(%old : memref<64xi8>) defines(%1 : memref<64xi8>)
    scf.yield %1 : memref<64xi8>
  }
  memref.copy %r, %out : memref<64xi8> to memref<64xi8>
  return
}

// -----

// No rotation.
func.func @one_slot_for_two(%n: index, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = mem.arena "dram", 192 : !mem.arena
  %init = mem.view %arena[128] {name = "init"} : !mem.arena -> !mem.buffer<64>
  %0 = mem.descriptor %init[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "init" defines(%0 : memref<64xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %0) -> (memref<64xi8>) {
    %state = mem.view %arena[0] {name = "state"} : !mem.arena -> !mem.buffer<64>
    %1 = mem.descriptor %state[0, 64] : !mem.buffer<64> -> memref<64xi8>
    // expected-error @+2 {{reads 'state', over which a later instance of it may have been written}}
    // expected-note @+1 {{by this operation}}
    mem.kernel "step" uses(%old : memref<64xi8>) defines(%1 : memref<64xi8>)
    scf.yield %1 : memref<64xi8>
  }
  memref.copy %r, %out : memref<64xi8> to memref<64xi8>
  return
}

// -----

// A slice that is too small: the operation's own verifier does not detect it.
func.func private @callee(%x: memref<64xi8>, %arena: !mem.arena) {
  %t = mem.view %arena[64] {name = "t", alignment = 64} : !mem.arena -> !mem.buffer<64>
  %0 = mem.descriptor %t[0, 64] : !mem.buffer<64> -> memref<64xi8>
  memref.copy %x, %0 : memref<64xi8> to memref<64xi8>
  memref.copy %0, %x : memref<64xi8> to memref<64xi8>
  return
}
func.func @slice_too_small(%x: memref<64xi8>) {
  %arena = mem.arena "dram", 127 {alignment = 64} : !mem.arena
  %slice = mem.slice %arena[0, 127] : !mem.arena -> !mem.arena
  // expected-error @+1 {{@callee needs 128 bytes, and is handed 127}}
  call @callee(%x, %slice) : (memref<64xi8>, !mem.arena) -> ()
  return
}
func.func @slice_not_aligned(%x: memref<64xi8>) {
  %arena = mem.arena "dram", 160 {alignment = 64} : !mem.arena
  %slice = mem.slice %arena[32, 128] : !mem.arena -> !mem.arena
  // expected-error @+1 {{@callee needs an alignment of 64, which offset 32 does not have}}
  call @callee(%x, %slice) : (memref<64xi8>, !mem.arena) -> ()
  return
}
func.func @slice_over_something(%x: memref<64xi8>, %out: memref<64xi8>) {
  %arena = mem.arena "dram", 128 {alignment = 64} : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %0 = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "a" defines(%0 : memref<64xi8>)
  %slice = mem.slice %arena[0, 128] : !mem.arena -> !mem.arena
  // expected-note @+1 {{by this operation}}
  call @callee(%x, %slice) : (memref<64xi8>, !mem.arena) -> ()
  // expected-error @+1 {{reads 'a', over which 'buf}}
  mem.kernel "use" uses(%0 : memref<64xi8>) defines(%out : memref<64xi8>)
  return
}

// -----

func.func @arena_not_aligned(%x: memref<64xi8>) {
  %arena = mem.arena "dram", 64 {alignment = 16} : !mem.arena
  // expected-error @+1 {{asks for an alignment of 64 in an arena that has 16}}
  %a = mem.view %arena[0] {name = "a", alignment = 64} : !mem.arena -> !mem.buffer<64>
  return
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 64, alignment = 32>>} {
  func.func @larger_than_its_level() {
    // expected-error @+1 {{an arena of 128 bytes in level 'sram', which has 64}}
    %arena = mem.arena "sram", 128 {alignment = 32} : !mem.arena
    %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<128>
    return
  }
  func.func @not_aligned_as_its_level() {
    %arena = mem.arena "sram", 48 {alignment = 32} : !mem.arena
    // expected-error @+1 {{offset 16 is not a multiple of 32}}
    %a = mem.view %arena[16] {name = "a"} : !mem.arena -> !mem.buffer<32>
    return
  }
}

// -----

func.func @claims_too_much() {
  // expected-error @+1 {{claims that no plan needs fewer than 256 bytes, and needs 128}}
  %arena = mem.arena "sram", 128 {proven_bound = 256 : i64} : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<128>
  return
}

// -----

func.func @larger_than_it_needs_to_be() {
  // expected-warning @+1 {{an arena of 256 bytes, of which no more than 128 are used}}
  %arena = mem.arena "sram", 256 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<128>
  return
}

// -----

// expected-error @+1 {{states an arena of 64 bytes aligned to 1, and needs 128 aligned to 4}}
func.func @states_too_little(%arena: !mem.arena {mem.arena = {size = 64 : i64, alignment = 1 : i64}}) {
  %a = mem.view %arena[64] {name = "a", alignment = 4} : !mem.arena -> !mem.buffer<64>
  return
}

// -----

// There is no overlap for n = 1, but there is one for n = 2.
func.func @for_some_sizes(%n: index, %out: memref<?xi8>) {
  %c1 = arith.constant 1 : index
  %peak = arith.addi %n, %c1 : index
  %arena = mem.arena "dram", %peak : !mem.arena
  %a = mem.view %arena[0, %n] {name = "a"} : !mem.arena -> !mem.buffer<?>
  %b = mem.view %arena[1, %n] {name = "b"} : !mem.arena -> !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  %1 = mem.descriptor %b[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  // expected-note @+1 {{by this operation}}
  mem.kernel "b" defines(%1 : memref<?xi8>)
  // expected-error @+1 {{reads 'a', over which 'b' may have been written}}
  mem.kernel "use" uses(%0, %1 : memref<?xi8>, memref<?xi8>) defines(%out : memref<?xi8>)
  return
}

// -----

func.func @arena_of_too_few_bytes(%n: index, %out: memref<?xi8>) {
  %arena = mem.arena "dram", %n : !mem.arena
  // expected-error @+1 {{bytes [1, 2) are outside the 1 bytes of the arena}}
  %a = mem.view %arena[%n, %n] {name = "a"} : !mem.arena -> !mem.buffer<?>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  mem.kernel "a" defines(%0 : memref<?xi8>)
  return
}

// -----

// The other core does not wait.
func.func @race(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 64 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  // expected-note @+1 {{this one may run at the same time}}
  mem.kernel "a" defines(%va : memref<16xf32>) {core = 0}
  // expected-note @+1 {{this one may run at the same time}}
  mem.kernel "use" uses(%va : memref<16xf32>) may_defines(%out : memref<16xf32>) {core = 0}
  // Twice: once for each of the two.
  // expected-error @+1 {{accesses 'b', which shares bytes with 'a', on a core that does not wait for the other access}}
  mem.kernel "b" defines(%vb : memref<16xf32>) {core = 1}
  return
}

// -----

// After the address escapes, its holder may access the bytes while they belong to another tensor.
func.func @returned() -> memref<16xf32> {
  %arena = mem.arena "sram", 64 : !mem.arena
  // expected-error @+1 {{'a' is in an arena, but its address is returned}}
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{by this 'func.return'}}
  return %a : memref<16xf32>
}

// -----

// Nothing waits for the copy.
func.func @never_done(%out: memref<16xf32>) -> !async.token {
  %arena = mem.arena "sram", 64 : !mem.arena
  // expected-error @+1 {{'a' is in an arena, but it is used inside an operation that is not waited for on every path}}
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %t = async.execute {
    // expected-note @+1 {{by this 'memref.copy'}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  return %t : !async.token
}

// -----

// All iterations run concurrently in the same bytes.
func.func @concurrent(%x: memref<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = mem.arena "sram", 16 : !mem.arena
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    // expected-error @+1 {{is inside an operation that may run its regions concurrently}}
    %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// The source of an asynchronous copy is still being read.
func.func @before_the_wait(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 64 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%va : memref<16xf32>)
  // expected-note @+1 {{which starts here}}
  %t = mem.store async %va to %out : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{touches 'b', which shares bytes with 'a', before the transfer of those is waited for}}
  mem.kernel "b" defines(%vb : memref<16xf32>)
  mem.wait %t
  return
}

// -----

// A name in the form of a global's name does not make a view a placement of a global.
func.func @like_a_global(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 64 : !mem.arena
  %a = mem.view %arena[0] {name = "@a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  mem.kernel "a" defines(%a : memref<16xf32>)
  // expected-note @+1 {{by this operation}}
  mem.kernel "b" defines(%b : memref<16xf32>)
  // expected-error @+1 {{reads '@a', over which 'b' may have been written}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Two views at one address are one placement.
func.func @twice_the_same_place(%out: memref<16xf32>) {
  %arena = mem.arena "sram", 64 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %again = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  mem.kernel "a" defines(%a : memref<16xf32>)
  memref.copy %again, %out : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "b" defines(%b : memref<16xf32>)
  // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
  memref.copy %again, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// In a nested module.
module {
  module @nested {
    func.func @overlapping(%in: memref<16xf32>, %out: memref<16xf32>) {
      %l0 = mem.arena "l0", 64 : !mem.arena
      %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
      %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
      linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
      // expected-note @+1 {{by this operation}}
      linalg.exp ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
      // expected-error @+1 {{reads 'a', over which 'b' may have been written}}
      linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
      return
    }
  }
}

// -----

// One of two arenas.
func.func @either_arena(%x: memref<16xf32>, %first: i1) {
  // expected-warning @+1 {{an arena of 64 bytes, of which no more than 0 are used}}
  %a = mem.arena "a", 64 : !mem.arena
  // expected-warning @+1 {{an arena of 64 bytes, of which no more than 0 are used}}
  %b = mem.arena "b", 64 : !mem.arena
  %arena = arith.select %first, %a, %b : !mem.arena
  // expected-error @+1 {{its arena cannot be determined}}
  %v = mem.view %arena[0] : !mem.arena -> !mem.buffer<64>
  %d = mem.descriptor %v[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// -----

// The end of the view does not fit 63 bits.
func.func @no_address(%x: memref<16xf32>, %arena: !mem.arena) {
  %far = arith.constant 9223372036854775800 : index
  // expected-error @+1 {{64 bytes at 9223372036854775800 have no address}}
  %v = mem.view %arena[%far] : !mem.arena -> !mem.buffer<64>
  %d = mem.descriptor %v[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.exp ins(%d : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
