// A tensor moves to a new placement without a copy if a callee overwrites its bytes before it reads
// them. No single access shows whether a callee reads bytes as its caller left them, so a verifier
// could wrongly assume that all its reads do, or that none does.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

func.func private @overwrites(%a: memref<8xf32>) attributes {no_inline} {
  mem.kernel "write" defines(%a : memref<8xf32>)
  mem.kernel "read" uses(%a : memref<8xf32>)
  return
}
func.func @right(%out: memref<8xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<32>
  %a1 = mem.view %sram[32] {name = "a"} : !mem.arena -> !mem.buffer<32>
  %first = mem.descriptor %a0[0, 32] : !mem.buffer<32> -> memref<8xf32>
  %second = mem.descriptor %a1[0, 32] : !mem.buffer<32> -> memref<8xf32>
  mem.kernel "a" defines(%first : memref<8xf32>)
  func.call @overwrites(%second) : (memref<8xf32>) -> ()
  mem.kernel "use" uses(%second : memref<8xf32>) defines(%out : memref<8xf32>)
  return
}

// -----

func.func private @reads(%a: memref<8xf32>) attributes {no_inline} {
  mem.kernel "read" uses(%a : memref<8xf32>)
  mem.kernel "write" defines(%a : memref<8xf32>)
  return
}
func.func @stale(%out: memref<8xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<32>
  %a1 = mem.view %sram[32] {name = "a"} : !mem.arena -> !mem.buffer<32>
  %first = mem.descriptor %a0[0, 32] : !mem.buffer<32> -> memref<8xf32>
  %second = mem.descriptor %a1[0, 32] : !mem.buffer<32> -> memref<8xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "a" defines(%first : memref<8xf32>)
  // expected-error @+1 {{reads 'a', whose bytes [0, 32) are not up to date here}}
  func.call @reads(%second) : (memref<8xf32>) -> ()
  mem.kernel "use" uses(%second : memref<8xf32>) defines(%out : memref<8xf32>)
  return
}

// -----

// Partly overwritten: the remaining bytes are the caller's.
func.func private @overwrites_half(%a: memref<8xf32>) attributes {no_inline} {
  %half = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  mem.kernel "write" defines(%half : memref<4xf32, strided<[1]>>)
  mem.kernel "read" uses(%a : memref<8xf32>)
  return
}
func.func @stale_half(%out: memref<8xf32>) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %a0 = mem.view %sram[0] {name = "a"} : !mem.arena -> !mem.buffer<32>
  %a1 = mem.view %sram[32] {name = "a"} : !mem.arena -> !mem.buffer<32>
  %first = mem.descriptor %a0[0, 32] : !mem.buffer<32> -> memref<8xf32>
  %second = mem.descriptor %a1[0, 32] : !mem.buffer<32> -> memref<8xf32>
  // expected-note @+1 {{since this operation}}
  mem.kernel "a" defines(%first : memref<8xf32>)
  // expected-error @+1 {{reads 'a', whose bytes [16, 32) are not up to date here}}
  func.call @overwrites_half(%second) : (memref<8xf32>) -> ()
  mem.kernel "use" uses(%second : memref<8xf32>) defines(%out : memref<8xf32>)
  return
}
