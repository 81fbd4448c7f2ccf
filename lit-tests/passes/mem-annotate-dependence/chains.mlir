// Dependence chains as attributes on operations.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-annotate-dependence)' | FileCheck %s
//
// Annotations can be parsed again. A second run replaces them, and `clear` removes them.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-annotate-dependence)' -o %t.once
// RUN: mem-opt %t.once --pass-pipeline='builtin.module(mem-annotate-dependence)' -o %t.twice
// RUN: cmp %t.once %t.twice
// RUN: mem-opt %t.once --pass-pipeline='builtin.module(mem-annotate-dependence{clear})' -o %t.cleared
// RUN: mem-opt %s -o %t.plain
// RUN: cmp %t.plain %t.cleared
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-annotate-dependence{noalias-arguments})' | FileCheck %s --check-prefix=NOALIAS

// CHECK-LABEL: func.func @partly_overwritten
// CHECK: mem.kernel "all" {{.*}}{mem.accesses = [{bytes = array<i64: 0, 32>, dead_bytes = array<i64: 0, 16>, exact, id = 0 : i64, kind = "define", operand = 0 : i64, readers = array<i64: 2>}]}
// CHECK: mem.kernel "half" {{.*}}{mem.accesses = [{bytes = array<i64: 0, 16>, exact, id = 1 : i64, kills = [{bytes = array<i64: 0, 16>, id = 0 : i64}], kind = "define", operand = 0 : i64, readers = array<i64: 2>}]}
// CHECK: mem.kernel "read" {{.*}}{mem.accesses = [{bytes = array<i64: 0, 40>, exact, id = 2 : i64, kind = "use", operand = 0 : i64, sources = [
// CHECK-SAME: {buffer = "b", bytes = array<i64: 32, 40>, undefined},
// CHECK-SAME: {buffer = "b", bytes = array<i64: 16, 32>, id = 0 : i64},
// CHECK-SAME: {buffer = "b", bytes = array<i64: 0, 16>, id = 1 : i64}]}]}
// CHECK: mem.kernel "dead" {{.*}}{mem.accesses = [{bytes = array<i64: 0, 16>, dead, exact, id = 3 : i64
func.func @partly_overwritten() {
  %b = mem.buffer {name = "b"} : !mem.buffer<40>
  %all = mem.descriptor %b[0, 32] : !mem.buffer<40> -> memref<32xi8>
  %half = mem.descriptor %b[0, 16] : !mem.buffer<40> -> memref<16xi8>
  %more = mem.descriptor %b[0, 40] : !mem.buffer<40> -> memref<40xi8>
  mem.kernel "all" defines(%all : memref<32xi8>)
  mem.kernel "half" defines(%half : memref<16xi8>)
  mem.kernel "read" uses(%more : memref<40xi8>)
  mem.kernel "dead" defines(%half : memref<16xi8>)
  return
}

// Two branches join. The operation that reads the buffer has regions of its own.
// CHECK-LABEL: func.func @joined
// CHECK-SAME: attributes {mem.joins = [{block = 3 : i64, buffer = "b", bytes = array<i64: 0, 32>}]}
// CHECK: linalg.generic {{.*}} attrs = {mem.accesses = [{bytes = array<i64: 0, 32>, exact, id = 2 : i64, kind = "use", operand = 0 : i64
func.func @joined(%out: memref<8xf32> {mem.noalias}, %v: f32, %w: f32, %p: i1) {
  %b = mem.buffer {name = "b"} : !mem.buffer<32>
  %x = mem.descriptor %b[0, 32] : !mem.buffer<32> -> memref<8xf32>
  scf.if %p {
    linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  } else {
    linalg.fill ins(%w : f32) outs(%x : memref<8xf32>)
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %d = arith.addf %a, %a : f32
    linalg.yield %d : f32
  }
  return
}

// A store through one argument may be read through the other, unless `noalias-arguments` is set.
// CHECK-LABEL: func.func @arguments
// CHECK: memref.load {{.*}}sources = [{buffer = "arg1", bytes = array<i64: 0, 4>, entry}, {buffer = "arg1", bytes = array<i64: 0, 4>, id = 0 : i64}]
// NOALIAS-LABEL: func.func @arguments
// NOALIAS: memref.load {{.*}}sources = [{buffer = "arg1", bytes = array<i64: 0, 4>, entry}]
func.func @arguments(%x: memref<1xf32>, %y: memref<1xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<1xf32>
  %z = memref.load %y[%c0] : memref<1xf32>
  return %z : f32
}
