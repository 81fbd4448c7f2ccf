// A transfer copies bytes in order. Its source and target must have the same layout, or elements
// would be misplaced, and must not overlap, or it would overwrite bytes that it has yet to copy.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

module {
  func.func @main(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>, %c: i1) {
    %l0 = mem.arena "l0", 20480 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %a2 = mem.view %l0[4096] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @+1 {{copies 'a' to 'a', which have common bytes}}
    mem.load %a to %a2 : memref<64x64xf32> to memref<64x64xf32>
    memref.copy %a2, %out : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

module {
  func.func @main(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>, %c: i1) {
    %l0 = mem.arena "l0", 16384 {alignment = 64 : i64} : !mem.arena
    %l1 = mem.arena "l1", 16384 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %bb = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> !mem.buffer<16384>
    %bt = mem.descriptor %bb[0, 16384] : !mem.buffer<16384> -> memref<64x64xf32, strided<[1, 64]>>
    %br = mem.descriptor %bb[0, 16384] : !mem.buffer<16384> -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @+1 {{copies 'a' to 'a' in another layout: memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>}}
    mem.load %a to %bt : memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>
    memref.copy %br, %out : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

module {
  func.func @main(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
    %l0 = mem.arena "l0", 16384 {alignment = 64 : i64} : !mem.arena
    %l1 = mem.arena "l1", 16384 {alignment = 64 : i64} : !mem.arena
    %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    %bt = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32, strided<[1, 64]>>
    %br = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-error @+1 {{copies 'a' to 'a' in another layout: memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>}}
    mem.load %a to %bt : memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>
    memref.copy %bt, %out : memref<64x64xf32, strided<[1, 64]>> to memref<64x64xf32>
    memref.copy %br, %out2 : memref<64x64xf32> to memref<64x64xf32>
    return
  }
}

// -----

// An asynchronous transfer is rejected as well.
func.func @asynchronous(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 96 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %a2 = mem.view %l0[32] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-error @+1 {{copies 'a' to 'a', which have common bytes}}
  %t = mem.load async %a to %a2 : memref<16xf32> to memref<16xf32>
  mem.wait %t
  memref.copy %a2, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// A transfer to the same address has no effect. A swap to it destroys the contents.
func.func @stays(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %a2 = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.load %a to %a2 : memref<16xf32> to memref<16xf32>
  memref.copy %a2, %out : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{copies 'a' to 'a', which have common bytes}}
  mem.swap %a to %a2 : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Dimensions of extent one may have any stride.
func.func @one_row(%in: memref<1x16xf32>, %out: memref<1x16xf32>) {
  %l0 = mem.arena "l0", 64 : !mem.arena
  %l1 = mem.arena "l1", 64 : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %b = mem.view %l1[0] {name = "a"} : !mem.arena -> !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<1x16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<1x16xf32, strided<[99, 1]>>
  linalg.exp ins(%in : memref<1x16xf32>) outs(%va : memref<1x16xf32>)
  mem.load %va to %vb : memref<1x16xf32> to memref<1x16xf32, strided<[99, 1]>>
  memref.copy %vb, %out : memref<1x16xf32, strided<[99, 1]>> to memref<1x16xf32>
  return
}
