// A tensor that is filled and then accumulated into is rematerialized by repeating both operations in order in one place.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

func.func @filled_and_added_to(%x: memref<4x4xf32> {mem.name = "x"}, %zero: f32, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 128 : !mem.arena
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %b = mem.view %sram[0] {name = "b"} : !mem.arena -> memref<4x4xf32>
  %again = mem.view %sram[64] {name = "a"} : !mem.arena -> memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  mem.kernel "b" defines(%b : memref<4x4xf32>)
  linalg.fill {mem.recompute} ins(%zero : f32) outs(%again : memref<4x4xf32>)
  linalg.matmul {mem.recompute} ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%again : memref<4x4xf32>)
  mem.kernel "use" uses(%again, %b : memref<4x4xf32>, memref<4x4xf32>) may_defines(%out : memref<4x4xf32>)
  return
}

// -----

// Only the fill is repeated.
func.func @half_way(%x: memref<4x4xf32> {mem.name = "x"}, %zero: f32, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 128 : !mem.arena
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %again = mem.view %sram[64] {name = "a"} : !mem.arena -> memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // expected-note @+1 {{since this operation}}
  linalg.fill {mem.recompute} ins(%zero : f32) outs(%again : memref<4x4xf32>)
  // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
  linalg.exp ins(%again : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  return
}

// -----

// Accumulated a second time into the complete result.
func.func @twice(%x: memref<4x4xf32> {mem.name = "x"}, %zero: f32, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %other = mem.view %dram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  // expected-note @+1 {{since this operation}}
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  mem.store %a to %other : memref<4x4xf32> to memref<4x4xf32>
  // expected-error @+1 {{recomputes what cannot be recomputed here: operands may have changed}}
  linalg.matmul {mem.recompute} ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%other : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  return
}

// -----

// The older version travels to the other level and back before it is added to.
func.func @through_another_level(%x: memref<4x4xf32> {mem.name = "x"}, %zero: f32, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 192 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %b = mem.view %sram[0] {name = "b"} : !mem.arena -> memref<4x4xf32>
  %again = mem.view %sram[64] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %away = mem.view %dram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %back = mem.view %sram[128] {name = "a"} : !mem.arena -> memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  mem.kernel "b" defines(%b : memref<4x4xf32>)
  linalg.fill {mem.recompute} ins(%zero : f32) outs(%again : memref<4x4xf32>)
  mem.store %again to %away : memref<4x4xf32> to memref<4x4xf32>
  %token = mem.load async %away to %back : memref<4x4xf32> to memref<4x4xf32>
  mem.wait %token
  linalg.matmul {mem.recompute} ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%back : memref<4x4xf32>)
  mem.kernel "use" uses(%back, %b : memref<4x4xf32>, memref<4x4xf32>) may_defines(%out : memref<4x4xf32>)
  return
}

// -----

// What has left for the other level was complete, and adding to it once more is wrong.
func.func @the_wrong_version_travels(%x: memref<4x4xf32> {mem.name = "x"}, %zero: f32, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 192 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %b = mem.view %sram[0] {name = "b"} : !mem.arena -> memref<4x4xf32>
  %again = mem.view %sram[64] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %away = mem.view %dram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %back = mem.view %sram[128] {name = "a"} : !mem.arena -> memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  // expected-note @+1 {{since this operation}}
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  mem.store %a to %away : memref<4x4xf32> to memref<4x4xf32>
  mem.kernel "b" defines(%b : memref<4x4xf32>)
  linalg.fill {mem.recompute} ins(%zero : f32) outs(%again : memref<4x4xf32>)
  %token = mem.load async %away to %back : memref<4x4xf32> to memref<4x4xf32>
  mem.wait %token
  // expected-error @+1 {{recomputes what cannot be recomputed here: operands may have changed}}
  linalg.matmul {mem.recompute} ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%back : memref<4x4xf32>)
  mem.kernel "use" uses(%back, %b : memref<4x4xf32>, memref<4x4xf32>) may_defines(%out : memref<4x4xf32>)
  return
}

// -----

// Another tensor is written in between.
func.func @disturbed(%x: memref<4x4xf32> {mem.name = "x"}, %zero: f32, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 128 : !mem.arena
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %again = mem.view %sram[64] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %b = mem.view %sram[64] {name = "b"} : !mem.arena -> memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  // expected-note @+1 {{since this operation}}
  linalg.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.fill {mem.recompute} ins(%zero : f32) outs(%again : memref<4x4xf32>)
  mem.kernel "b" defines(%b : memref<4x4xf32>)
  // expected-error @+1 {{recomputes what cannot be recomputed here: operands may have changed}}
  linalg.matmul {mem.recompute} ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) outs(%again : memref<4x4xf32>)
  mem.kernel "use" uses(%again : memref<4x4xf32>) may_defines(%out : memref<4x4xf32>)
  return
}

// -----

// The original runs in some iterations only, and each iteration has another value.
func.func @earlier_iteration(%values: memref<8xf32> {mem.name = "values"}, %is_new: i1, %out: memref<4x4xf32> {bufferize.result, mem.name = "out"}) {
  %sram = mem.arena "sram", 64 : !mem.arena
  %dram = mem.arena "dram", 64 : !mem.arena
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = mem.view %sram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  %other = mem.view %dram[0] {name = "a"} : !mem.arena -> memref<4x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %value = memref.load %values[%i] : memref<8xf32>
    scf.if %is_new {
      // expected-note @+1 {{since this operation}}
      linalg.fill ins(%value : f32) outs(%a : memref<4x4xf32>)
      mem.store %a to %other : memref<4x4xf32> to memref<4x4xf32>
    }
    // expected-error @+2 {{recomputes what cannot be recomputed here: operands may have changed}}
    // expected-note @+1 {{since this operation}}
    linalg.fill {mem.recompute} ins(%value : f32) outs(%a : memref<4x4xf32>)
    // expected-error @+1 {{reads 'a', whose bytes [0, 64) are not up to date here}}
    linalg.exp ins(%a : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  }
  return
}
