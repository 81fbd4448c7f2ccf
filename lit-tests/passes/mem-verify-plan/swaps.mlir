// A swap leaves its source undefined, whatever the source holds by then: if another tensor has reused
// the bytes, that tensor's contents are lost.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

module {
  func.func @main(%in: memref<1024xf32>, %out: memref<1024xf32>, %out2: memref<1024xf32>) {
    %l0 = mem.arena "l0", 4096 {alignment = 64 : i64} : !mem.arena
    %l1 = mem.arena "l1", 4096 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<1024xf32>
    %ah = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<1024xf32>
    %b = mem.view %l0[0] {alignment = 4 : i64, name = "b"} : !mem.arena -> memref<1024xf32>
    linalg.exp ins(%in : memref<1024xf32>) outs(%a : memref<1024xf32>)
    mem.swap %a to %ah : memref<1024xf32> to memref<1024xf32>
    linalg.tanh ins(%in : memref<1024xf32>) outs(%b : memref<1024xf32>)
    memref.copy %ah, %out : memref<1024xf32> to memref<1024xf32>
    // expected-note @+1 {{by this operation}}
    mem.swap %a to %ah : memref<1024xf32> to memref<1024xf32>
    // expected-error @+1 {{reads 'b', over which 'a' may have been written}}
    memref.copy %b, %out2 : memref<1024xf32> to memref<1024xf32>
    return
  }
}

// -----

// The source of the swap has never been written, but the swap still destroys the contents of its bytes.
func.func @moved_from_nothing(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.tanh ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<16xf32>
  // expected-note @+1 {{by this operation}}
  mem.swap %a to %ah : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{reads 'b', over which 'a' may have been written}}
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Both tensors have a second placement.
func.func @both_moved(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %l1 = mem.arena "l1", 128 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %ah = mem.view %l1[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %l0[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %bh = mem.view %l1[64] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.swap %a to %ah : memref<16xf32> to memref<16xf32>
  linalg.tanh ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %ah, %out : memref<16xf32> to memref<16xf32>
  mem.swap %a to %ah : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{since this operation}}
  mem.store %b to %bh : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{reads 'b', whose bytes [0, 64) are not up to date here}}
  memref.copy %bh, %out : memref<16xf32> to memref<16xf32>
  return
}
