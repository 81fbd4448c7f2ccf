// Unrelated contents of one buffer get separate buffers.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-split-buffers)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-split-buffers,mem-split-buffers)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-split-buffers)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS

// STATISTICS: (S) {{ *}}3 split
// STATISTICS: (S) {{ *}}4 new
// STATISTICS: (S) {{ *}}448 bytes

// Contents whose live ranges do not overlap.
// CHECK-LABEL: func.func @in_time
// CHECK-DAG: %[[A:.*]] = mem.buffer {{.*}}name = "a.0"{{.*}} : !mem.buffer<512>
// CHECK-DAG: %[[B:.*]] = mem.buffer {{.*}}name = "a.1"{{.*}} : !mem.buffer<512>
// CHECK: %[[X:.*]] = mem.descriptor %[[A]][0, 512]
// CHECK: %[[Y:.*]] = mem.descriptor %[[B]][0, 512]
// CHECK: mem.kernel "make" defines(%[[X]]
// CHECK: mem.kernel "read" uses(%[[X]]
// CHECK: mem.kernel "make" defines(%[[Y]]
// CHECK: mem.kernel "read" uses(%[[Y]]
func.func @in_time(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "make" defines(%x : memref<128xf32>)
  mem.kernel "read" uses(%x : memref<128xf32>) defines(%out : memref<128xf32>)
  mem.kernel "make" defines(%x : memref<128xf32>)
  mem.kernel "read" uses(%x : memref<128xf32>) defines(%out : memref<128xf32>)
  return
}

// Disjoint parts; no operation accesses the bytes between them.
// CHECK-LABEL: func.func @in_space
// CHECK: mem.buffer {{.*}} : !mem.buffer<256>
// CHECK: mem.buffer {{.*}} : !mem.buffer<128>
// CHECK: mem.kernel "both" uses(%{{.*}}, %{{.*}} : memref<64xf32>, memref<32xf32>)
func.func @in_space(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 256] : !mem.buffer<512> -> memref<64xf32>
  %y = mem.descriptor %a[384, 128] : !mem.buffer<512> -> memref<32xf32, strided<[1], offset: 96>>
  mem.kernel "x" defines(%x : memref<64xf32>)
  mem.kernel "y" defines(%y : memref<32xf32, strided<[1], offset: 96>>)
  mem.kernel "both" uses(%x, %y : memref<64xf32>, memref<32xf32, strided<[1], offset: 96>>) defines(%out : memref<128xf32>)
  return
}

// In a loop: one content is loop-carried, the others are new in each iteration.
// CHECK-LABEL: func.func @carried
// CHECK-COUNT-3: mem.buffer
// CHECK: scf.for
// CHECK-NOT: mem.buffer
func.func @carried(%out: memref<128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = mem.buffer {name = "a"} : !mem.buffer<768>
  %x = mem.descriptor %a[0, 256] : !mem.buffer<768> -> memref<64xf32>
  %y = mem.descriptor %a[256, 256] : !mem.buffer<768> -> memref<64xf32>
  %z = mem.descriptor %a[512, 256] : !mem.buffer<768> -> memref<64xf32>
  mem.kernel "x" defines(%x : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    mem.kernel "y" uses(%x : memref<64xf32>) defines(%y : memref<64xf32>)
    mem.kernel "x" uses(%y : memref<64xf32>) defines(%x : memref<64xf32>)
    mem.kernel "z" defines(%z : memref<64xf32>)
    mem.kernel "out" uses(%z : memref<64xf32>) defines(%out : memref<128xf32>)
  }
  return
}

// No operation accesses the rest of the buffer.
// CHECK-LABEL: func.func @too_large
// CHECK: mem.buffer {{.*}}name = "a"{{.*}} : !mem.buffer<64>
func.func @too_large(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[64, 64] : !mem.buffer<512> -> memref<16xf32>
  mem.kernel "make" defines(%x : memref<16xf32>)
  mem.kernel "read" uses(%x : memref<16xf32>) defines(%out : memref<128xf32>)
  return
}
