// Asynchronous transfers remain equivalent when they are lowered to copies, to DMA, and to calls of
// the runtime library, with their tokens carried by loops where the target supports it.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,convert-mem-to-memref{transfers=copy},mem-validate)' -o %t 2>&1 | count 0
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,convert-mem-to-memref{transfers=runtime},mem-validate)' -o %t 2>&1 | count 0
// RUN: grep -v carried %s > %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-snapshot,convert-mem-to-memref{transfers=dma},mem-validate)' -o %t 2>&1 | count 0

#h = #mem.hierarchy<
  #mem.level<"sram", capacity = 1024>, #mem.level<"dram">,
  engines = [#mem.engine<"in", "dram" to "sram">, #mem.engine<"out", "sram" to "dram">]>
module attributes {mem.hierarchy = #h} {

func.func @transfers(%x: memref<16xf32> {mem.noalias}, %y: memref<16xf32> {mem.noalias}, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = mem.arena "sram", 192 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[64] {name = "b"} : !mem.arena -> memref<4x4xf32>
  %c = mem.view %arena[128] {name = "c"} : !mem.arena -> memref<16xf32>
  %bv = memref.collapse_shape %b [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %t = mem.load async %x to %a : memref<16xf32> to memref<16xf32>
  // Other bytes are written meanwhile.
  linalg.exp ins(%x : memref<16xf32>) outs(%bv : memref<16xf32>)
  mem.wait %t
  linalg.add ins(%a, %bv : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
  // Two transfers in flight.
  %u = mem.store async %c to %y : memref<16xf32> to memref<16xf32>
  %v = mem.load async %x to %bv : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%c : memref<16xf32>) outs(%a : memref<16xf32>)
  mem.wait %u, %v
  // In every iteration, and on one path only.
  scf.for %i = %c0 to %c4 step %c1 {
    %w = mem.load async %y to %c : memref<16xf32> to memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%a : memref<16xf32>)
    mem.wait %w
    linalg.add ins(%a, %c : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
    scf.if %p {
      mem.store %a to %y : memref<16xf32> to memref<16xf32>
    }
  }
  // A part: the source starts in the middle of a memref.
  %part = memref.subview %x[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %first = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  mem.load %part to %first : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32, strided<[1]>>
  mem.store %a to %y : memref<16xf32> to memref<16xf32>
  return
}

// The next iteration's operand arrives while this one's results are written.
func.func @pipelined(%x: memref<16xf32> {mem.noalias}, %y: memref<16xf32> {mem.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = mem.arena "sram", 128 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[64] {name = "b"} : !mem.arena -> memref<16xf32>
  %t = mem.load async %x to %a : memref<16xf32> to memref<16xf32> // carried
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%own = %t) -> !mem.token { // carried
    mem.wait %own // carried
    linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) // carried
    %next = mem.load async %x to %a : memref<16xf32> to memref<16xf32> // carried
    linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>) // carried
    scf.yield %next : !mem.token // carried
  } // carried
  mem.wait %r // carried
  return
}
}
