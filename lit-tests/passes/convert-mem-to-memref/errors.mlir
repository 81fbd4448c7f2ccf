// Operations without a memref equivalent cause an error at the operation, never wrong code.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' --verify-diagnostics --split-input-file

func.func @two_dimensions_unknown(%b: !mem.buffer<64>, %n: index) {
  // expected-error @+1 {{'mem.descriptor' cannot be lowered to memref: more than one dimension is known only at run time}}
  %d = mem.descriptor %b[0, %n] : !mem.buffer<64> -> memref<?x?xf32>
  return
}

// -----

func.func @unknown_stride(%b: !mem.buffer<64>) {
  // expected-error @+1 {{'mem.descriptor' cannot be lowered to memref: its shape or strides are known only at run time}}
  %d = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<4x4xf32, strided<[?, 1]>>
  return
}

// -----

func.func @unknown_element(%b: !mem.buffer<64>) {
  // expected-error @+1 {{'mem.descriptor' cannot be lowered to memref: the size of its elements is unknown}}
  %d = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<4xmemref<f32>>
  return
}

// -----

func.func @nothing_times_unknown(%b: !mem.buffer<64>, %n: index) {
  // expected-error @+1 {{'mem.descriptor' cannot be lowered to memref: a dimension is zero and another known only at run time}}
  %d = mem.descriptor %b[0, %n] : !mem.buffer<64> -> memref<0x?xf32>
  return
}
