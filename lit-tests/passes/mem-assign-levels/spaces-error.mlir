// A value that cannot have a type is an error that names both sources.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels)' --split-input-file --verify-diagnostics

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 192, space = 3>, #mem.level<"slow", space = 2>>} {
  // expected-note @+1 {{in memory space 2: this}}
  func.func @two(%x: memref<32xf32, 3> {mem.noalias}, %y: memref<32xf32, 2> {mem.noalias}, %p: i1) -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %n = mem.buffer {name = "n"} : !mem.buffer<128>
    %m = mem.descriptor %n[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x, %y : memref<32xf32, 3>, memref<32xf32, 2>) defines(%v : memref<32xf32>)
    mem.kernel "b" uses(%x, %y : memref<32xf32, 3>, memref<32xf32, 2>) defines(%v : memref<32xf32>)
    // expected-error @+1 {{this value may be in memory space 2 or in the default memory space, and the hierarchy names no generic memory space}}
    %s = scf.if %p -> memref<32xf32> {
      // expected-note @+1 {{in the default memory space: this}}
      %w = memref.memory_space_cast %x : memref<32xf32, 3> to memref<32xf32>
      scf.yield %w : memref<32xf32>
    } else {
      scf.yield %v : memref<32xf32>
    }
    %l = memref.load %s[%c0] : memref<32xf32>
    return %l : f32
  }
}

// -----

// A rule for operands and the type of a parameter that do not go together.
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 192, space = 3>, #mem.level<"slow">,
    operands = [#mem.operand<"func.call", 0, "fast">]>} {
  func.func @callee(%x: memref<32xf32>) {
    mem.kernel "a" defines(%x : memref<32xf32>)
    return
  }
  func.func @caller() {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    // expected-error @+1 {{accepts 'a' in no level: its operands in that buffer have to be in different levels}}
    func.call @callee(%v) : (memref<32xf32>) -> ()
    mem.kernel "b" uses(%v : memref<32xf32>)
    return
  }
}
