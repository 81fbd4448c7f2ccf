// A result reuses the bytes of an operand that is dead afterwards, if each element is read
// before the same element is written.

// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false},mem-print-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT

// PRINT: @chain: 3 buffers in arena
// PRINT-NEXT: peak 128, lower bound 128, gap 0 %

// CHECK-LABEL: func.func @chain
// CHECK: mem.arena "arena", 128
func.func @chain(%x: memref<32xf32>, %y: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  %c = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
  } ins(%a : memref<32xf32>) outs(%b : memref<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %relu = arith.maximumf %in, %zero : f32
    linalg.yield %relu : f32
  }
  linalg.add ins(%b, %x : memref<32xf32>, memref<32xf32>) outs(%c : memref<32xf32>)
  linalg.tanh ins(%c : memref<32xf32>) outs(%y : memref<32xf32>)
  return
}

// The second operand is read in a different order: if it is also the first operand, the bytes are not reused.
// CHECK-LABEL: func.func @transposed
// CHECK: mem.arena "arena", 128
func.func @transposed(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %sum = arith.addf %l, %r : f32
    linalg.yield %sum : f32
  }
  linalg.tanh ins(%b : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

// No reuse: a sum over rows, a matrix product, an operand that is read again, a different element type.
// CHECK-LABEL: func.func @rows
// CHECK: mem.arena "arena", 80
func.func @rows(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<4xf32>)
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.reduce ins(%a : memref<4x4xf32>) outs(%b : memref<4xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  linalg.tanh ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @read_again
// CHECK: mem.arena "arena", 128
func.func @read_again(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.tanh ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @narrower
// CHECK: mem.arena "arena", 96
func.func @narrower(%x: memref<16xf32>, %y: memref<16xf16>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf16>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
  } ins(%a : memref<16xf32>) outs(%b : memref<16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %half = arith.truncf %in : f32 to f16
    linalg.yield %half : f16
  }
  linalg.exp ins(%b : memref<16xf16>) outs(%y : memref<16xf16>)
  return
}

// The result of an iteration is loop-carried and read at the end of the next iteration: its bytes
// are not reused, and it has two slots.
// CHECK-LABEL: func.func @carried
// CHECK: mem.arena "arena", 192
func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%first : memref<16xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<16xf32>) {
    %new = memref.alloc() : memref<16xf32>
    linalg.tanh ins(%old : memref<16xf32>) outs(%new : memref<16xf32>)
    linalg.add ins(%old, %new : memref<16xf32>, memref<16xf32>) outs(%new : memref<16xf32>)
    scf.yield %new : memref<16xf32>
  }
  linalg.tanh ins(%last : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Kernels declare it with `in_place`.
// CHECK-LABEL: func.func @kernels
// CHECK: mem.arena "arena", 192
func.func @kernels() {
  %buf_a = mem.buffer {name = "a"} : !mem.buffer<128>
  %buf_b = mem.buffer {name = "b"} : !mem.buffer<64>
  %buf_c = mem.buffer {name = "c"} : !mem.buffer<128>
  %a = mem.descriptor %buf_a[0, 128] : !mem.buffer<128> -> memref<128xi8>
  %b = mem.descriptor %buf_b[0, 64] : !mem.buffer<64> -> memref<64xi8>
  %c = mem.descriptor %buf_c[0, 128] : !mem.buffer<128> -> memref<128xi8>
  mem.kernel "make" defines(%a, %b : memref<128xi8>, memref<64xi8>)
  // CHECK: mem.kernel "mix"
  mem.kernel "mix" uses(%a, %b : memref<128xi8>, memref<64xi8>) defines(%c : memref<128xi8>) in_place [0]
  mem.kernel "end" uses(%c : memref<128xi8>)
  return
}

// The result is written in another order than the operand is read.
// CHECK-LABEL: func.func @written_transposed
// CHECK: mem.arena "arena", 128
func.func @written_transposed(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]
  } ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.tanh ins(%b : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

// The only operand is read in another order.
// CHECK-LABEL: func.func @read_transposed
// CHECK: mem.arena "arena", 128
func.func @read_transposed(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]
  } ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.tanh ins(%b : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

// The body reads the operand's first element in every iteration.
// CHECK-LABEL: func.func @read_by_the_body
// CHECK: mem.arena "arena", 32
func.func @read_by_the_body(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
  } ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %first = memref.load %a[%c0] : memref<4xf32>
    %sum = arith.addf %in, %first : f32
    linalg.yield %sum : f32
  }
  linalg.tanh ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// All elements of these views are one: the second iteration would read what the first has written.
// CHECK-LABEL: func.func @elements_that_are_one
// CHECK: mem.arena "arena", 8
func.func @elements_that_are_one(%x: f32, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  %all_a = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [0] : memref<1xf32> to memref<4xf32, strided<[0]>>
  %all_b = memref.reinterpret_cast %b to offset: [0], sizes: [4], strides: [0] : memref<1xf32> to memref<4xf32, strided<[0]>>
  linalg.fill ins(%x : f32) outs(%a : memref<1xf32>)
  linalg.exp ins(%all_a : memref<4xf32, strided<[0]>>) outs(%all_b : memref<4xf32, strided<[0]>>)
  memref.copy %all_b, %y : memref<4xf32, strided<[0]>> to memref<4xf32>
  return
}
