// Types that state another level than that of the data, and transfers that do not do what they say about levels.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --split-input-file --verify-diagnostics

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", space = 3>, #mem.level<"mid", space = 2>, #mem.level<"slow">>} {
  func.func @arena() {
    // expected-error @+1 {{this arena in level 'fast' has the memory space of level 'mid', memory space 2}}
    %a = mem.arena "fast", 0 : !mem.arena<2>
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", space = 3>, #mem.level<"mid", space = 2>, #mem.level<"slow">>} {
  func.func @view() {
    %a = mem.arena "slow", 64 : !mem.arena
    // expected-error @+1 {{'x' has memory space 3, but its arena has the default memory space}}
    %x = mem.view %a[0] {name = "x"} : !mem.arena -> !mem.buffer<64, 3>
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", space = 3>, #mem.level<"mid", space = 2>, #mem.level<"slow">>} {
  func.func @same() {
    // expected-note @+1 {{this one}}
    %a = mem.arena "slow", 0 : !mem.arena<7>
    // expected-error @+1 {{this arena in level 'mid' has memory space 7, like an arena in level 'slow'}}
    %b = mem.arena "mid", 0 : !mem.arena<7>
    return
  }
}

// -----

// Right: by number, by name, only on the view, and not at all. Levels may share a space if the hierarchy says so.
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", space = 3>, #mem.level<"mid", space = 3>, #mem.level<"slow">>} {
  func.func @right() {
    %a = mem.arena "fast", 64 : !mem.arena<3>
    %b = mem.arena "mid", 0 : !mem.arena<3>
    %c = mem.arena "fast", 64 : !mem.arena<#mem.space<"fast">>
    %d = mem.arena "mid", 64 : !mem.arena
    %w = mem.view %d[0] {name = "w"} : !mem.arena -> !mem.buffer<64>
    %x = mem.view %a[0] {name = "x"} : !mem.arena<3> -> !mem.buffer<64, 3>
    %y = mem.view %c[0] {name = "y"} : !mem.arena<#mem.space<"fast">> -> memref<16xf32, #mem.space<"fast">>
    %z = mem.view %d[0] {name = "z"} : !mem.arena -> memref<16xf32, #mem.space<"mid">>
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast">, #mem.level<"slow">>} {
  func.func @within(%p: memref<16xf32>) {
    %a = mem.arena "fast", 128 : !mem.arena
    %x = mem.view %a[0] {name = "x"} : !mem.arena -> memref<16xf32, #mem.space<"fast">>
    %y = mem.view %a[64] {name = "x"} : !mem.arena -> memref<16xf32, #mem.space<"fast">>
    memref.copy %p, %x : memref<16xf32> to memref<16xf32, #mem.space<"fast">>
    // expected-error @+1 {{moves data between levels, but both places are in 'fast'}}
    mem.swap %x to %y : memref<16xf32, #mem.space<"fast">> to memref<16xf32, #mem.space<"fast">>
    memref.copy %y, %p : memref<16xf32, #mem.space<"fast">> to memref<16xf32>
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", space = 3>, #mem.level<"slow">>} {
  func.func @between(%p: memref<16xf32>) {
    %a = mem.arena "fast", 64 : !mem.arena<3>
    %b = mem.arena "slow", 64 : !mem.arena
    %x = mem.view %a[0] {name = "x"} : !mem.arena<3> -> memref<16xf32, 3>
    %y = mem.view %b[0] {name = "x"} : !mem.arena -> memref<16xf32>
    memref.copy %p, %x : memref<16xf32> to memref<16xf32, 3>
    // expected-error @+1 {{moves data within a level, but from memory space 3 to the default memory space}}
    mem.move %x to %y : memref<16xf32, 3> to memref<16xf32>
    memref.copy %y, %p : memref<16xf32> to memref<16xf32>
    return
  }
}

// -----

// Transfers between two tensors may connect any levels.
func.func @tensors(%p: memref<16xf32, #mem.space<"fast">> {mem.noalias}, %q: memref<16xf32, #mem.space<"fast">> {mem.noalias},
                   %r: memref<16xf32> {mem.noalias}) {
  mem.store %p to %q : memref<16xf32, #mem.space<"fast">> to memref<16xf32, #mem.space<"fast">>
  mem.move %q to %r : memref<16xf32, #mem.space<"fast">> to memref<16xf32>
  return
}
