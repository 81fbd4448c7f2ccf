// Globals with several placements: callees, at any call depth, access a global in its home location,
// and their writes make the other placements stale.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

module {
  memref.global "private" @g : memref<64x64xf32> = uninitialized
  func.func private @w(%x: memref<64x64xf32>) {
    %g = memref.get_global @g : memref<64x64xf32>
    linalg.tanh ins(%x : memref<64x64xf32>) outs(%g : memref<64x64xf32>)
    return
  }
  func.func @main(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
    %l0 = mem.arena "l0", 16384 {alignment = 64 : i64} : !mem.arena
    %g = memref.get_global @g : memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%g : memref<64x64xf32>)
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "@g"} : !mem.arena -> memref<64x64xf32>
    mem.load %g to %a : memref<64x64xf32> to memref<64x64xf32>
    // expected-note @+1 {{since this operation}}
    func.call @w(%in) : (memref<64x64xf32>) -> ()
    // expected-error @+2 {{reads '@g' and writes 'arg1', which may be the same bytes in the original program and are apart here}}
    // expected-error @+1 {{reads '@g', whose bytes [0, 16384) are not up to date here}}
    memref.copy %a, %out : memref<64x64xf32> to memref<64x64xf32>
    memref.copy %g, %out2 : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

module {
  memref.global "private" @g : memref<64x64xf32> = uninitialized
  func.func private @r(%x: memref<64x64xf32>) {
    %g = memref.get_global @g : memref<64x64xf32>
    memref.copy %g, %x : memref<64x64xf32> to memref<64x64xf32>
    return
  }
  // expected-error @+1 {{'@g' is not up to date when the function returns}}
  func.func @main(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
    %l0 = mem.arena "l0", 16384 {alignment = 64 : i64} : !mem.arena
    %g = memref.get_global @g : memref<64x64xf32>
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "@g"} : !mem.arena -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%g : memref<64x64xf32>)
    mem.load %g to %a : memref<64x64xf32> to memref<64x64xf32>
    // expected-note @+2 {{since this operation}}
    // expected-error @+1 {{reads 'arg0' and writes '@g', which may be the same bytes in the original program and are apart here}}
    linalg.tanh ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @+1 {{may read '@g', whose bytes [0, 16384) are not up to date there}}
    func.call @r(%out) : (memref<64x64xf32>) -> ()
    // The verifier cannot distinguish a callee that may also write the global from one that only reads it.
    // expected-note @+1 {{since this operation}}
    mem.store %a to %g : memref<64x64xf32> to memref<64x64xf32>
    mem.load %g to %a : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

// The global is up to date when the callee reads it.
memref.global "private" @g : memref<16xf32> = uninitialized
func.func private @reads() {
  %g = memref.get_global @g : memref<16xf32>
  mem.kernel "read" uses(%g : memref<16xf32>)
  return
}
func.func @at_home_in_time(%out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %g = memref.get_global @g : memref<16xf32>
  %a = mem.view %l0[0] {name = "@g"} : !mem.arena -> memref<16xf32>
  mem.kernel "write" defines(%a : memref<16xf32>)
  mem.store %a to %g : memref<16xf32> to memref<16xf32>
  call @reads() : () -> ()
  return
}

// -----

// The global is stale when a callee of the callee reads it.
memref.global "private" @g : memref<16xf32> = uninitialized
func.func private @reads() {
  %g = memref.get_global @g : memref<16xf32>
  mem.kernel "read" uses(%g : memref<16xf32>)
  return
}
func.func private @through() {
  call @reads() : () -> ()
  return
}
// expected-error @+1 {{'@g' is not up to date when the function returns}}
func.func @through_another(%out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %g = memref.get_global @g : memref<16xf32>
  %a = mem.view %l0[0] {name = "@g"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "write" defines(%a : memref<16xf32>)
  // expected-error @+1 {{may read '@g', whose bytes [0, 64) are not up to date there}}
  call @through() : () -> ()
  // expected-note @+1 {{since this operation}}
  mem.store %a to %g : memref<16xf32> to memref<16xf32>
  return
}

// -----

// An unknown callee may write the global.
memref.global "private" @g : memref<16xf32> = uninitialized
func.func private @unknown()
func.func @calls_unknown(%out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %g = memref.get_global @g : memref<16xf32>
  %a = mem.view %l0[0] {name = "@g"} : !mem.arena -> memref<16xf32>
  mem.load %g to %a : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{since this operation}}
  call @unknown() : () -> ()
  // expected-error @+1 {{reads '@g', whose bytes [0, 64) are not up to date here}}
  mem.kernel "read" uses(%a : memref<16xf32>)
  return
}

// -----

// No operation may write a constant: its copy stays valid across any call.
memref.global "private" constant @k : memref<16xf32> = dense<1.0>
func.func private @unknown()
func.func @constant() {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %k = memref.get_global @k : memref<16xf32>
  %a = mem.view %l0[0] {name = "@k"} : !mem.arena -> memref<16xf32>
  mem.load %k to %a : memref<16xf32> to memref<16xf32>
  call @unknown() : () -> ()
  mem.kernel "read" uses(%a : memref<16xf32>)
  return
}

// -----

// Two globals are distinct tensors: a write to one leaves copies of the other valid.
memref.global "private" @g : memref<16xf32> = uninitialized
memref.global "private" @h : memref<16xf32> = uninitialized
func.func @two_globals() {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %g = memref.get_global @g : memref<16xf32>
  %h = memref.get_global @h : memref<16xf32>
  %a = mem.view %l0[0] {name = "@g"} : !mem.arena -> memref<16xf32>
  mem.load %g to %a : memref<16xf32> to memref<16xf32>
  mem.kernel "write" defines(%h : memref<16xf32>)
  mem.kernel "read" uses(%a : memref<16xf32>)
  return
}
