// A convolution and a pooling that are split into parts, joined, and split again. On one core, the tensors
// of each part reuse the bytes of the previous part. On several cores they cannot, because the parts do
// not wait for each other; tensors defined after the join can, because the join waits for all parts.

// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=conflicts})' -o /dev/null 2>&1 | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s --check-prefix=PEAK

// CHECK:      @one_core: 5 buffers, 6 pairs live at once, 0 with no order between cores
// CHECK-NEXT: conv_a  - x . . .
// CHECK-NEXT: pool_a  x - x x x
// CHECK-NEXT: conv_b  . x - x .
// CHECK-NEXT: pool_b  . x x - x
// CHECK-NEXT: joined  . x . x -
// PEAK-LABEL: func.func @one_core
func.func @one_core(%x: memref<1024xf32>, %r: memref<256xf32>) {
  // PEAK: mem.arena "arena", 3072 
  %conv_a = mem.buffer {name = "conv_a"} : !mem.buffer<2048>
  %mconv_a = mem.descriptor %conv_a[0, 2048] : !mem.buffer<2048> -> memref<512xf32>
  %pool_a = mem.buffer {name = "pool_a"} : !mem.buffer<512>
  %mpool_a = mem.descriptor %pool_a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %conv_b = mem.buffer {name = "conv_b"} : !mem.buffer<2048>
  %mconv_b = mem.descriptor %conv_b[0, 2048] : !mem.buffer<2048> -> memref<512xf32>
  %pool_b = mem.buffer {name = "pool_b"} : !mem.buffer<512>
  %mpool_b = mem.descriptor %pool_b[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %joined = mem.buffer {name = "joined"} : !mem.buffer<1024>
  %mjoined = mem.descriptor %joined[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  mem.kernel "conv_a" uses(%x : memref<1024xf32>) defines(%mconv_a : memref<512xf32>) {core = 0 : i64}
  mem.kernel "pool_a" uses(%mconv_a : memref<512xf32>) defines(%mpool_a : memref<128xf32>) {core = 0 : i64}
  mem.kernel "conv_b" uses(%x : memref<1024xf32>) defines(%mconv_b : memref<512xf32>) {core = 0 : i64}
  mem.kernel "pool_b" uses(%mconv_b : memref<512xf32>) defines(%mpool_b : memref<128xf32>) {core = 0 : i64}
  mem.kernel "join" uses(%mpool_a, %mpool_b : memref<128xf32>, memref<128xf32>) defines(%mjoined : memref<256xf32>) {core = 0 : i64}
  mem.kernel "end" uses(%mjoined : memref<256xf32>) defines(%r : memref<256xf32>) {core = 0 : i64}
  return
}

// CHECK:      @two_cores: 5 buffers, 6 pairs live at once, 2 with no order between cores
// CHECK-NEXT: conv_a  - x o o .
// CHECK-NEXT: pool_a  x - x x x
// CHECK-NEXT: conv_b  o x - x .
// CHECK-NEXT: pool_b  o x x - x
// CHECK-NEXT: joined  . x . x -
// PEAK-LABEL: func.func @two_cores
func.func @two_cores(%x: memref<1024xf32>, %r: memref<256xf32>) {
  // PEAK: mem.arena "arena", 5120 
  %conv_a = mem.buffer {name = "conv_a"} : !mem.buffer<2048>
  %mconv_a = mem.descriptor %conv_a[0, 2048] : !mem.buffer<2048> -> memref<512xf32>
  %pool_a = mem.buffer {name = "pool_a"} : !mem.buffer<512>
  %mpool_a = mem.descriptor %pool_a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %conv_b = mem.buffer {name = "conv_b"} : !mem.buffer<2048>
  %mconv_b = mem.descriptor %conv_b[0, 2048] : !mem.buffer<2048> -> memref<512xf32>
  %pool_b = mem.buffer {name = "pool_b"} : !mem.buffer<512>
  %mpool_b = mem.descriptor %pool_b[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %joined = mem.buffer {name = "joined"} : !mem.buffer<1024>
  %mjoined = mem.descriptor %joined[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  mem.kernel "conv_a" uses(%x : memref<1024xf32>) defines(%mconv_a : memref<512xf32>) {core = 0 : i64}
  mem.kernel "pool_a" uses(%mconv_a : memref<512xf32>) defines(%mpool_a : memref<128xf32>) {core = 0 : i64}
  mem.kernel "conv_b" uses(%x : memref<1024xf32>) defines(%mconv_b : memref<512xf32>) {core = 1 : i64}
  mem.kernel "pool_b" uses(%mconv_b : memref<512xf32>) defines(%mpool_b : memref<128xf32>) {core = 1 : i64}
  mem.kernel "join" uses(%mpool_a, %mpool_b : memref<128xf32>, memref<128xf32>) defines(%mjoined : memref<256xf32>) {core = 0 : i64}
  mem.kernel "end" uses(%mjoined : memref<256xf32>) defines(%r : memref<256xf32>) {core = 0 : i64}
  return
}

// CHECK:      @one_core_in_four_parts: 13 buffers, 30 pairs live at once, 0 with no order between cores
// CHECK-NEXT: conv_a  - x . . . . . . . . . . .
// CHECK-NEXT: pool_a  x - x x x x x x x . . . .
// CHECK-NEXT: conv_b  . x - x . . . . . . . . .
// CHECK-NEXT: pool_b  . x x - x x x x x . . . .
// CHECK-NEXT: conv_c  . x . x - x . . . . . . .
// CHECK-NEXT: pool_c  . x . x x - x x x . . . .
// CHECK-NEXT: conv_d  . x . x . x - x . . . . .
// CHECK-NEXT: pool_d  . x . x . x x - x . . . .
// CHECK-NEXT: joined  . x . x . x . x - x x x x
// CHECK-NEXT: next_a  . . . . . . . . x - x x x
// CHECK-NEXT: next_b  . . . . . . . . x x - x x
// CHECK-NEXT: next_c  . . . . . . . . x x x - x
// CHECK-NEXT: next_d  . . . . . . . . x x x x -
// PEAK-LABEL: func.func @one_core_in_four_parts
func.func @one_core_in_four_parts(%x: memref<1024xf32>, %r: memref<256xf32>) {
  // PEAK: mem.arena "arena", 3072 
  %conv_a = mem.buffer {name = "conv_a"} : !mem.buffer<1024>
  %mconv_a = mem.descriptor %conv_a[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_a = mem.buffer {name = "pool_a"} : !mem.buffer<256>
  %mpool_a = mem.descriptor %pool_a[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %conv_b = mem.buffer {name = "conv_b"} : !mem.buffer<1024>
  %mconv_b = mem.descriptor %conv_b[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_b = mem.buffer {name = "pool_b"} : !mem.buffer<256>
  %mpool_b = mem.descriptor %pool_b[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %conv_c = mem.buffer {name = "conv_c"} : !mem.buffer<1024>
  %mconv_c = mem.descriptor %conv_c[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_c = mem.buffer {name = "pool_c"} : !mem.buffer<256>
  %mpool_c = mem.descriptor %pool_c[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %conv_d = mem.buffer {name = "conv_d"} : !mem.buffer<1024>
  %mconv_d = mem.descriptor %conv_d[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_d = mem.buffer {name = "pool_d"} : !mem.buffer<256>
  %mpool_d = mem.descriptor %pool_d[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %joined = mem.buffer {name = "joined"} : !mem.buffer<1024>
  %mjoined = mem.descriptor %joined[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %next_a = mem.buffer {name = "next_a"} : !mem.buffer<512>
  %mnext_a = mem.descriptor %next_a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %next_b = mem.buffer {name = "next_b"} : !mem.buffer<512>
  %mnext_b = mem.descriptor %next_b[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %next_c = mem.buffer {name = "next_c"} : !mem.buffer<512>
  %mnext_c = mem.descriptor %next_c[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %next_d = mem.buffer {name = "next_d"} : !mem.buffer<512>
  %mnext_d = mem.descriptor %next_d[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "conv_a" uses(%x : memref<1024xf32>) defines(%mconv_a : memref<256xf32>) {core = 0 : i64}
  mem.kernel "pool_a" uses(%mconv_a : memref<256xf32>) defines(%mpool_a : memref<64xf32>) {core = 0 : i64}
  mem.kernel "conv_b" uses(%x : memref<1024xf32>) defines(%mconv_b : memref<256xf32>) {core = 0 : i64}
  mem.kernel "pool_b" uses(%mconv_b : memref<256xf32>) defines(%mpool_b : memref<64xf32>) {core = 0 : i64}
  mem.kernel "conv_c" uses(%x : memref<1024xf32>) defines(%mconv_c : memref<256xf32>) {core = 0 : i64}
  mem.kernel "pool_c" uses(%mconv_c : memref<256xf32>) defines(%mpool_c : memref<64xf32>) {core = 0 : i64}
  mem.kernel "conv_d" uses(%x : memref<1024xf32>) defines(%mconv_d : memref<256xf32>) {core = 0 : i64}
  mem.kernel "pool_d" uses(%mconv_d : memref<256xf32>) defines(%mpool_d : memref<64xf32>) {core = 0 : i64}
  mem.kernel "join" uses(%mpool_a, %mpool_b, %mpool_c, %mpool_d : memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>) defines(%mjoined : memref<256xf32>) {core = 0 : i64}
  mem.kernel "next_a" uses(%mjoined : memref<256xf32>) defines(%mnext_a : memref<128xf32>) {core = 0 : i64}
  mem.kernel "next_b" uses(%mjoined : memref<256xf32>) defines(%mnext_b : memref<128xf32>) {core = 0 : i64}
  mem.kernel "next_c" uses(%mjoined : memref<256xf32>) defines(%mnext_c : memref<128xf32>) {core = 0 : i64}
  mem.kernel "next_d" uses(%mjoined : memref<256xf32>) defines(%mnext_d : memref<128xf32>) {core = 0 : i64}
  mem.kernel "end" uses(%mnext_a, %mnext_b, %mnext_c, %mnext_d : memref<128xf32>, memref<128xf32>, memref<128xf32>, memref<128xf32>) defines(%r : memref<256xf32>) {core = 0 : i64}
  return
}

// CHECK:      @four_cores: 13 buffers, 30 pairs live at once, 12 with no order between cores
// CHECK-NEXT: conv_a  - x o o o o o o . . . . .
// CHECK-NEXT: pool_a  x - x x x x x x x . . . .
// CHECK-NEXT: conv_b  o x - x o o o o . . . . .
// CHECK-NEXT: pool_b  o x x - x x x x x . . . .
// CHECK-NEXT: conv_c  o x o x - x o o . . . . .
// CHECK-NEXT: pool_c  o x o x x - x x x . . . .
// CHECK-NEXT: conv_d  o x o x o x - x . . . . .
// CHECK-NEXT: pool_d  o x o x o x x - x . . . .
// CHECK-NEXT: joined  . x . x . x . x - x x x x
// CHECK-NEXT: next_a  . . . . . . . . x - x x x
// CHECK-NEXT: next_b  . . . . . . . . x x - x x
// CHECK-NEXT: next_c  . . . . . . . . x x x - x
// CHECK-NEXT: next_d  . . . . . . . . x x x x -
// PEAK-LABEL: func.func @four_cores
func.func @four_cores(%x: memref<1024xf32>, %r: memref<256xf32>) {
  // PEAK: mem.arena "arena", 5120 
  %conv_a = mem.buffer {name = "conv_a"} : !mem.buffer<1024>
  %mconv_a = mem.descriptor %conv_a[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_a = mem.buffer {name = "pool_a"} : !mem.buffer<256>
  %mpool_a = mem.descriptor %pool_a[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %conv_b = mem.buffer {name = "conv_b"} : !mem.buffer<1024>
  %mconv_b = mem.descriptor %conv_b[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_b = mem.buffer {name = "pool_b"} : !mem.buffer<256>
  %mpool_b = mem.descriptor %pool_b[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %conv_c = mem.buffer {name = "conv_c"} : !mem.buffer<1024>
  %mconv_c = mem.descriptor %conv_c[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_c = mem.buffer {name = "pool_c"} : !mem.buffer<256>
  %mpool_c = mem.descriptor %pool_c[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %conv_d = mem.buffer {name = "conv_d"} : !mem.buffer<1024>
  %mconv_d = mem.descriptor %conv_d[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %pool_d = mem.buffer {name = "pool_d"} : !mem.buffer<256>
  %mpool_d = mem.descriptor %pool_d[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %joined = mem.buffer {name = "joined"} : !mem.buffer<1024>
  %mjoined = mem.descriptor %joined[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %next_a = mem.buffer {name = "next_a"} : !mem.buffer<512>
  %mnext_a = mem.descriptor %next_a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %next_b = mem.buffer {name = "next_b"} : !mem.buffer<512>
  %mnext_b = mem.descriptor %next_b[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %next_c = mem.buffer {name = "next_c"} : !mem.buffer<512>
  %mnext_c = mem.descriptor %next_c[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %next_d = mem.buffer {name = "next_d"} : !mem.buffer<512>
  %mnext_d = mem.descriptor %next_d[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "conv_a" uses(%x : memref<1024xf32>) defines(%mconv_a : memref<256xf32>) {core = 0 : i64}
  mem.kernel "pool_a" uses(%mconv_a : memref<256xf32>) defines(%mpool_a : memref<64xf32>) {core = 0 : i64}
  mem.kernel "conv_b" uses(%x : memref<1024xf32>) defines(%mconv_b : memref<256xf32>) {core = 1 : i64}
  mem.kernel "pool_b" uses(%mconv_b : memref<256xf32>) defines(%mpool_b : memref<64xf32>) {core = 1 : i64}
  mem.kernel "conv_c" uses(%x : memref<1024xf32>) defines(%mconv_c : memref<256xf32>) {core = 2 : i64}
  mem.kernel "pool_c" uses(%mconv_c : memref<256xf32>) defines(%mpool_c : memref<64xf32>) {core = 2 : i64}
  mem.kernel "conv_d" uses(%x : memref<1024xf32>) defines(%mconv_d : memref<256xf32>) {core = 3 : i64}
  mem.kernel "pool_d" uses(%mconv_d : memref<256xf32>) defines(%mpool_d : memref<64xf32>) {core = 3 : i64}
  mem.kernel "join" uses(%mpool_a, %mpool_b, %mpool_c, %mpool_d : memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>) defines(%mjoined : memref<256xf32>) {core = 0 : i64}
  mem.kernel "next_a" uses(%mjoined : memref<256xf32>) defines(%mnext_a : memref<128xf32>) {core = 0 : i64}
  mem.kernel "next_b" uses(%mjoined : memref<256xf32>) defines(%mnext_b : memref<128xf32>) {core = 1 : i64}
  mem.kernel "next_c" uses(%mjoined : memref<256xf32>) defines(%mnext_c : memref<128xf32>) {core = 2 : i64}
  mem.kernel "next_d" uses(%mjoined : memref<256xf32>) defines(%mnext_d : memref<128xf32>) {core = 3 : i64}
  mem.kernel "end" uses(%mnext_a, %mnext_b, %mnext_c, %mnext_d : memref<128xf32>, memref<128xf32>, memref<128xf32>, memref<128xf32>) defines(%r : memref<256xf32>) {core = 0 : i64}
  return
}
