// Operands and results of one operation. An operation may still read an operand after it has started to write its result,
// so they may share bytes only if they are exactly the same elements and each is known to be read before it is written.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

module {
  func.func @main(%in: memref<64x64xf32>, %w: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
    %cst = arith.constant 0.0 : f32
    %l0 = mem.arena "l0", 24576 {alignment = 64 : i64} : !mem.arena
    %l1 = mem.arena "l1", 16384 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %ah = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %b = mem.view %l0[8192] {alignment = 4 : i64, name = "b"} : !mem.arena -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    mem.store %a to %ah : memref<64x64xf32> to memref<64x64xf32>
    // expected-error @+1 {{may write 'b' over its own operand 'a' before it has read that}}
    linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
    memref.copy %ah, %out : memref<64x64xf32> to memref<64x64xf32>
    memref.copy %b, %out2 : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

// Disjoint: accepted.
module {
  func.func @main(%in: memref<64x64xf32>, %w: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
    %cst = arith.constant 0.0 : f32
    %l0 = mem.arena "l0", 32768 {alignment = 64 : i64} : !mem.arena
    %l1 = mem.arena "l1", 16384 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %ah = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %b = mem.view %l0[16384] {alignment = 4 : i64, name = "b"} : !mem.arena -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    mem.store %a to %ah : memref<64x64xf32> to memref<64x64xf32>
    linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
    memref.copy %ah, %out : memref<64x64xf32> to memref<64x64xf32>
    memref.copy %b, %out2 : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

// A second placement of the operand is no excuse, and neither is the same address: a transpose cannot run in place.
func.func @at_the_same_address(%in: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %l0 = mem.arena "l0", 16384 : !mem.arena
  %l1 = mem.arena "l1", 16384 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<64x64xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<64x64xf32>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<64x64xf32>
  linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  mem.store %a to %ah : memref<64x64xf32> to memref<64x64xf32>
  // expected-error @+1 {{may write 'b' over its own operand 'a' before it has read that}}
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>
  memref.copy %ah, %out : memref<64x64xf32> to memref<64x64xf32>
  return
}

// -----

// Each element is read before the same element is written: sharing the bytes is accepted.
func.func @element_by_element(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.store %a to %ah : memref<16xf32> to memref<16xf32>
  linalg.tanh ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.copy %ah, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The same operation at an offset of four bytes: elements are overwritten before they are read.
func.func @one_element_further(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 68 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %l0[4] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.store %a to %ah : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{may write 'b' over its own operand 'a' before it has read that}}
  linalg.tanh ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.copy %ah, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The buffers have the same address, but their views start at different bytes.
func.func @parts(%in: memref<32xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %l1 = mem.arena "l1", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<128>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> !mem.buffer<128>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> !mem.buffer<128>
  %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  %vah = mem.descriptor %ah[0, 128] : !mem.buffer<128> -> memref<32xf32>
  %part = mem.descriptor %a[0, 64] : !mem.buffer<128> -> memref<16xf32>
  %vb = mem.descriptor %b[32, 64] : !mem.buffer<128> -> memref<16xf32>
  linalg.exp ins(%in : memref<32xf32>) outs(%va : memref<32xf32>)
  mem.store %va to %vah : memref<32xf32> to memref<32xf32>
  // expected-error @+1 {{may write 'b' over its own operand 'a' before it has read that}}
  linalg.tanh ins(%part : memref<16xf32>) outs(%vb : memref<16xf32>)
  memref.copy %vb, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The original may read bytes that it has just written; with two placements it cannot.
func.func @torn(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %l0 = mem.arena "l0", 256 : !mem.arena
  %l1 = mem.arena "l1", 256 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<8x8xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<8x8xf32>
  linalg.exp ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  // expected-error @+1 {{reads 'a' and writes 'a', which may be the same bytes in the original program and are apart here}}
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%ah : memref<8x8xf32>) permutation = [1, 0]
  memref.copy %ah, %out : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// Arguments that may alias stay in their home locations if one operation reads one and writes the other.
func.func @torn_arguments(%x: memref<8x8xf32> {mem.name = "x"}, %y: memref<8x8xf32> {mem.name = "y"}) {
  %l0 = mem.arena "l0", 256 : !mem.arena
  %fast = mem.view %l0[0] {name = "y"} : !mem.arena -> memref<8x8xf32>
  // expected-error @+1 {{reads 'x' and writes 'y', which may be the same bytes in the original program and are apart here}}
  linalg.transpose ins(%x : memref<8x8xf32>) outs(%fast : memref<8x8xf32>) permutation = [1, 0]
  mem.store %fast to %y : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// Arguments that do not alias may be placed anywhere.
func.func @disjoint_arguments(%x: memref<8x8xf32> {mem.name = "x", mem.noalias}, %y: memref<8x8xf32> {mem.name = "y", mem.noalias}) {
  %l0 = mem.arena "l0", 256 : !mem.arena
  %fast = mem.view %l0[0] {name = "y"} : !mem.arena -> memref<8x8xf32>
  linalg.transpose ins(%x : memref<8x8xf32>) outs(%fast : memref<8x8xf32>) permutation = [1, 0]
  mem.store %fast to %y : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// Like @parts, but each tensor has only one placement.
func.func @parts_of_one_place(%in: memref<32xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<128>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> !mem.buffer<128>
  %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  %part = mem.descriptor %a[0, 64] : !mem.buffer<128> -> memref<16xf32>
  %vb = mem.descriptor %b[32, 64] : !mem.buffer<128> -> memref<16xf32>
  linalg.exp ins(%in : memref<32xf32>) outs(%va : memref<32xf32>)
  // expected-error @+2 {{reads 'a', over which 'b' may have been written}}
  // expected-note @+1 {{by this operation}}
  linalg.tanh ins(%part : memref<16xf32>) outs(%vb : memref<16xf32>)
  memref.copy %vb, %out : memref<16xf32> to memref<16xf32>
  return
}
