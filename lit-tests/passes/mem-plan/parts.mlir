// Dead bytes can be reused even while the rest of their buffer is live.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{output=-})' -o /dev/null | FileCheck %s --check-prefix=TABLE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=json output=-})' -o /dev/null | FileCheck %s --check-prefix=JSON

// The last read of the second half precedes that of the first: `next` reuses the bytes of the second half.
// CHECK-LABEL: func.func @second_half_dies_early
// CHECK: mem.arena "arena", 1024
// CHECK: mem.view %{{.*}}[0] {{.*}}name = "a"
// CHECK: mem.view %{{.*}}[512] {{.*}}name = "next"
// TABLE: @second_half_dies_early: 2 buffers
// TABLE-NEXT: peak 1024 (1.0 KiB), lower bound 1024, gap 0 %
// TABLE: a {{.*}} [0, 512) 0..3, [512, 1024) 0..1
// JSON: "parts": [
// JSON-NEXT: {
// JSON-NEXT: "start": 0,
// JSON-NEXT: "end": 512,
func.func @second_half_dies_early(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<1024>
  %all = mem.descriptor %a[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %first = mem.descriptor %a[0, 512] : !mem.buffer<1024> -> memref<128xf32>
  %second = mem.descriptor %a[512, 512] : !mem.buffer<1024> -> memref<128xf32>
  mem.kernel "make" defines(%all : memref<256xf32>)
  mem.kernel "second" uses(%second : memref<128xf32>) defines(%out : memref<128xf32>)
  %next = mem.buffer {name = "next"} : !mem.buffer<512>
  %b = mem.descriptor %next[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "next" defines(%b : memref<128xf32>)
  mem.kernel "both" uses(%b, %first : memref<128xf32>, memref<128xf32>) defines(%out : memref<128xf32>)
  return
}

// The first half is dead between its last read and the write that overwrites it.
// CHECK-LABEL: func.func @first_half_is_made_twice
// CHECK: mem.arena "arena", 1024
func.func @first_half_is_made_twice(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<1024>
  %all = mem.descriptor %a[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %first = mem.descriptor %a[0, 512] : !mem.buffer<1024> -> memref<128xf32>
  mem.kernel "make" defines(%all : memref<256xf32>)
  mem.kernel "read" uses(%first : memref<128xf32>) defines(%out : memref<128xf32>)
  %next = mem.buffer {name = "next"} : !mem.buffer<512>
  %b = mem.descriptor %next[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "next" defines(%b : memref<128xf32>)
  mem.kernel "again" uses(%b : memref<128xf32>) defines(%out : memref<128xf32>)
  mem.kernel "overwrite" defines(%first : memref<128xf32>)
  mem.kernel "last" uses(%all : memref<256xf32>) defines(%out : memref<128xf32>)
  return
}

// An access at an offset known only at run time may touch either half.
// CHECK-LABEL: func.func @either_half
// CHECK: mem.arena "arena", 1536
func.func @either_half(%out: memref<128xf32>, %at: index) {
  %a = mem.buffer {name = "a"} : !mem.buffer<1024>
  %all = mem.descriptor %a[0, 1024] : !mem.buffer<1024> -> memref<256xf32>
  %second = mem.descriptor %a[512, 512] : !mem.buffer<1024> -> memref<128xf32>
  %either = mem.descriptor %a[%at, 512] : !mem.buffer<1024> -> memref<128xf32>
  mem.kernel "make" defines(%all : memref<256xf32>)
  mem.kernel "second" uses(%second : memref<128xf32>) defines(%out : memref<128xf32>)
  %next = mem.buffer {name = "next"} : !mem.buffer<512>
  %b = mem.descriptor %next[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "next" defines(%b : memref<128xf32>)
  mem.kernel "both" uses(%b, %either : memref<128xf32>, memref<128xf32>) defines(%out : memref<128xf32>)
  return
}
