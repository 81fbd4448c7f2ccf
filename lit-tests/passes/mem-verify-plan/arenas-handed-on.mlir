// A callee may write anywhere in an arena that it is passed: no other buffer of that arena may be live in its caller.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

func.func private @callee(%x: memref<16xf32>, %arena: !mem.arena {mem.arena = {size = 64 : i64, alignment = 4 : i64}}) {
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

func.func @shared(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 64 {alignment = 4 : i64} : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-error @+1 {{@callee is handed all of an arena that 'a' is in}}
  call @callee(%out, %l0) : (memref<16xf32>, !mem.arena) -> ()
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func private @callee(%x: memref<16xf32>, %arena: !mem.arena {mem.arena = {size = 64 : i64, alignment = 4 : i64}}) {
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// A slice of an arena is storage like any other.
func.func @slice(%in: memref<16xf32>, %out: memref<16xf32>) {
  %l0 = mem.arena "l0", 128 {alignment = 4 : i64} : !mem.arena
  %a = mem.view %l0[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %s = mem.slice %l0[64, 64] : !mem.arena -> !mem.arena
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  call @callee(%out, %s) : (memref<16xf32>, !mem.arena) -> ()
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}
