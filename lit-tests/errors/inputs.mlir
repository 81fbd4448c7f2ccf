// Unusual but valid input passes through every pass without a crash, and malformed input produces a
// diagnostic at its location. At worst, an allocation stays unplanned.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{optimize=false})' --verify-diagnostics --split-input-file

// expected-remark @+1 {{nothing to plan: the module has no mem.buffer}}
module {
}

// -----

// expected-remark @+1 {{nothing to plan: the module has no mem.buffer}}
module {
  func.func private @no_blocks(memref<4xf32>) -> memref<4xf32>
}

// -----

// A nested module.
// expected-remark @+1 {{nothing to plan: the module has no mem.buffer}}
module {
  module {
    func.func @f(%v: f32) {
      %a = memref.alloc() : memref<4xf32>
      linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
      return
    }
  }
}

// -----

// Sizes near the limit: each fits in 63 bits, but their sum does not.
module {
  // expected-error @+1 {{sizes add up to more than 2^63-1 bytes}}
  func.func @sum_overflows() {
    // expected-note @+1 {{'buf0' is allocated here}}
    %a = memref.alloc() : memref<9223372036854775807xi8>
    %b = memref.alloc() : memref<9223372036854775807xi8>
    // expected-warning @+1 {{reads bytes [0, 9223372036854775807) of 'buf0', which nothing has written}}
    memref.copy %a, %b : memref<9223372036854775807xi8> to memref<9223372036854775807xi8>
    return
  }
}

// -----

// Sizes whose product overflows.
// expected-remark @+1 {{nothing to plan: the module has no mem.buffer}}
module {
  func.func @product_overflows() {
    // expected-remark @+1 {{allocation is not planned: its size in bytes does not fit 64 bits}}
    %a = memref.alloc() : memref<4294967296x4294967296xf32>
    // expected-remark @+1 {{allocation is not planned: its size in bytes does not fit 64 bits}}
    %b = memref.alloc() : memref<2305843009213693952xf32>
    return
  }
}

// -----

// expected-remark @+1 {{nothing to plan: the module has no mem.buffer}}
module {
  func.func @alignment_overflows() {
    // expected-remark @+1 {{allocation is not planned: its alignment of 4611686018427387904 bytes is above 1 MiB}}
    %a = memref.alloc() {alignment = 4611686018427387904 : i64} : memref<4xf32>
    return
  }
}

// -----

// Direct and mutual recursion.
module {
  // expected-warning @+1 {{function @self calls itself, directly or not}}
  func.func @self(%v: f32) {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    call @self(%v) : (f32) -> ()
    return
  }
  // expected-warning @+1 {{function @ping calls itself, directly or not}}
  func.func private @ping(%v: f32) {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    call @pong(%v) : (f32) -> ()
    return
  }
  func.func private @pong(%v: f32) {
    call @ping(%v) : (f32) -> ()
    return
  }
}

// -----

// Nothing here returns, and some of the code is unreachable.
module {
  func.func @forever(%v: f32) {
    %a = memref.alloc() : memref<4xf32>
    cf.br ^self
  ^self:
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    cf.br ^self
  ^never:
    %b = memref.alloc() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    cf.br ^never
  }
}

// -----

// Zero-sized buffers in a loop that carries them.
module {
  func.func @empty(%n: index, %out: memref<0xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<0xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<0xf32>) {
      %new = memref.alloc() : memref<0xf32>
      memref.copy %old, %new : memref<0xf32> to memref<0xf32>
      scf.yield %new : memref<0xf32>
    }
    memref.copy %r, %out : memref<0xf32> to memref<0xf32>
    return
  }
}

// -----

// expected-error @+1 {{integer value too large}}
func.func private @size_overflows(!mem.buffer<99999999999999999999>)

// -----

// expected-error @+1 {{size of a buffer must not be negative, got -1}}
func.func private @negative_size(!mem.buffer<-1>)

// -----

// expected-error @+1 {{attribute 'mem.hierarchy' must be a #mem.hierarchy, got 3 : i64}}
module attributes {mem.hierarchy = 3} {}

// -----

func.func @outside(%b: !mem.buffer<64>) {
  // expected-error @+1 {{bytes [60, 76) are outside the 64 bytes of the buffer}}
  %d = mem.descriptor %b[60, 16] : !mem.buffer<64> -> memref<4xf32>
  return
}

// -----

func.func @not_disjoint(%b: !mem.buffer<64>) {
  %0 = mem.descriptor %b[0, 16] : !mem.buffer<64> -> memref<4xf32>
  // expected-note @+1 {{defines #0 is defined here}}
  %1 = mem.descriptor %b[12, 16] : !mem.buffer<64> -> memref<4xf32>
  // expected-error @+1 {{asserts that its operands are disjoint, but uses #0, bytes [0, 16), and defines #0, bytes [12, 28), overlap}}
  mem.kernel "k" uses(%0 : memref<4xf32>) defines(%1 : memref<4xf32>) disjoint
  return
}
