// Aliases: an argument may alias another argument, unless an attribute says otherwise, and it may alias
// a global. A value that is rematerialized or copied must be unchanged with respect to all aliases.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

module {
  func.func @f(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
    %l0 = mem.arena "l0", 32768 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %b = mem.view %l0[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> memref<64x64xf32>
    %a2 = mem.view %l0[16384] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    // expected-note @+1 {{since this operation}}
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-note @+1 {{by this operation}}
    memref.copy %a, %out : memref<64x64xf32> to memref<64x64xf32>
    linalg.tanh ins(%out : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>
    // expected-error @+1 {{recomputes what cannot be recomputed here: operand 'arg0' may have changed through 'arg1'}}
    linalg.exp {mem.recompute} ins(%in : memref<64x64xf32>) outs(%a2 : memref<64x64xf32>)
    memref.copy %a2, %out2 : memref<64x64xf32> to memref<64x64xf32>
    return
  }
  func.func @main(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
    call @f(%x, %x, %y) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    return
  }
}

// -----

// Asserted not to alias: accepted.
module {
  func.func @f(%in: memref<64x64xf32> {mem.noalias}, %out: memref<64x64xf32> {mem.noalias}, %out2: memref<64x64xf32> {mem.noalias}) {
    %l0 = mem.arena "l0", 32768 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %b = mem.view %l0[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> memref<64x64xf32>
    %a2 = mem.view %l0[16384] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    memref.copy %a, %out : memref<64x64xf32> to memref<64x64xf32>
    linalg.tanh ins(%out : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>
    linalg.exp {mem.recompute} ins(%in : memref<64x64xf32>) outs(%a2 : memref<64x64xf32>)
    memref.copy %a2, %out2 : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

// An argument that aliases no other argument may still alias the global.
memref.global "private" @g : memref<16xf32> = uninitialized
func.func @global_written(%x: memref<16xf32> {mem.noalias}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %a2 = mem.view %l0[64] {name = "a"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  %g = memref.get_global @g : memref<16xf32>
  // expected-note @+1 {{by this operation}}
  mem.kernel "write" defines(%g : memref<16xf32>)
  // expected-error @+1 {{recomputes what cannot be recomputed here: operand 'arg0' may have changed through '@g'}}
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%a2 : memref<16xf32>)
  memref.copy %a2, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An unknown callee may write to any memory that it can reach.
func.func private @unknown()
func.func @unknown_call(%x: memref<16xf32> {mem.noalias}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %a2 = mem.view %l0[64] {name = "a"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{by this operation}}
  call @unknown() : () -> ()
  // expected-error @+1 {{recomputes what cannot be recomputed here: operand 'arg0' may have changed}}
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%a2 : memref<16xf32>)
  memref.copy %a2, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Reads do not modify memory.
memref.global "private" constant @k : memref<16xf32> = dense<1.0>
func.func @constant_read(%x: memref<16xf32> {mem.noalias}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %a2 = mem.view %l0[64] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  %k = memref.get_global @k : memref<16xf32>
  mem.kernel "read" uses(%k : memref<16xf32>)
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%a2 : memref<16xf32>)
  memref.copy %a2, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A buffer in the arena aliases no argument.
func.func @own_buffer(%x: memref<16xf32> {mem.noalias}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %a2 = mem.view %l0[64] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  mem.kernel "write" defines(%b : memref<16xf32>)
  linalg.exp {mem.recompute} ins(%x : memref<16xf32>) outs(%a2 : memref<16xf32>)
  memref.copy %a2, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A copy of an argument becomes stale when another argument that it may alias is written.
func.func @copy_left_behind(%x: memref<16xf32> {mem.name = "x"}, %y: memref<16xf32>, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %fast = mem.view %l0[0] {name = "x"} : !mem.arena -> memref<16xf32>
  mem.load %x to %fast : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "write" defines(%y : memref<16xf32>)
  // expected-error @+1 {{reads 'x', whose bytes [0, 64) are not up to date here}}
  mem.kernel "read" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}

// -----

// The newest value of `y` is in its placement in the arena, while `x`, which may alias `y`, is read.
func.func @newer_elsewhere(%x: memref<16xf32>, %y: memref<16xf32> {mem.name = "y"}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %fast = mem.view %l0[0] {name = "y"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "write" defines(%fast : memref<16xf32>)
  // expected-error @+1 {{reads 'arg0', which may be 'y', whose bytes [0, 64) are not up to date there}}
  mem.kernel "read" uses(%x : memref<16xf32>) defines(%out : memref<16xf32>)
  mem.store %fast to %y : memref<16xf32> to memref<16xf32>
  return
}

// -----

// While an argument is being fetched from its home, another argument that may alias it is written.
func.func @in_flight(%x: memref<16xf32>, %y: memref<16xf32> {mem.name = "y"}, %out: memref<16xf32> {mem.noalias}) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %fast = mem.view %l0[0] {name = "y"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{which starts here}}
  %t = mem.load async %y to %fast : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{touches 'arg0', which shares bytes with 'y', before the transfer of those is waited for}}
  mem.kernel "write" defines(%x : memref<16xf32>)
  mem.wait %t
  mem.kernel "read" uses(%fast : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}
