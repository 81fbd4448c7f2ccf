// Buffers have identity: two of them never merge, even if they look the same. Operations that only
// compute a buffer or an address have no side effects and are erased when unused. Kernels,
// transfers and waits keep their effects.
//
// RUN: mem-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: mem-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK
// RUN: mem-opt %s --inline | FileCheck %s --check-prefix=INLINE
// RUN: mem-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=MOTION

func.func private @use(!mem.buffer<128>, !mem.buffer<128>)
func.func private @use_arenas(!mem.arena, !mem.arena)
func.func private @use_memrefs(memref<32xf32>, memref<32xf32>)

// CHECK-LABEL: func.func @equal_buffers_stay_two
func.func @equal_buffers_stay_two() {
  // CHECK-NEXT: %[[A:.*]] = mem.buffer : !mem.buffer<128>
  // CHECK-NEXT: %[[B:.*]] = mem.buffer : !mem.buffer<128>
  // CHECK-NEXT: call @use(%[[A]], %[[B]])
  %a = mem.buffer : !mem.buffer<128>
  %b = mem.buffer : !mem.buffer<128>
  call @use(%a, %b) : (!mem.buffer<128>, !mem.buffer<128>) -> ()
  return
}

// CHECK-LABEL: func.func @equal_arenas_stay_two
func.func @equal_arenas_stay_two() {
  // CHECK-NEXT: %[[A:.*]] = mem.arena "sram", 64 : !mem.arena
  // CHECK-NEXT: %[[B:.*]] = mem.arena "sram", 64 : !mem.arena
  // CHECK-NEXT: call @use_arenas(%[[A]], %[[B]])
  %a = mem.arena "sram", 64 : !mem.arena
  %b = mem.arena "sram", 64 : !mem.arena
  call @use_arenas(%a, %b) : (!mem.arena, !mem.arena) -> ()
  return
}

// CHECK-LABEL: func.func @equal_descriptors_become_one
func.func @equal_descriptors_become_one(%a: !mem.buffer<128>) {
  // CSE-NEXT: %[[V:.*]] = mem.descriptor
  // CSE-NEXT: call @use_memrefs(%[[V]], %[[V]])
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  %w = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  call @use_memrefs(%v, %w) : (memref<32xf32>, memref<32xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @equal_rotations_become_one
func.func @equal_rotations_become_one(%a: !mem.buffer<128>, %b: !mem.buffer<128>, %x: memref<32xf32>) {
  // CSE-NEXT: %[[R:.*]] = mem.rotate
  // CSE-NEXT: call @use(%[[R]], %[[R]])
  %r = mem.rotate(%a, %b) avoiding(%x : memref<32xf32>) : !mem.buffer<128>
  %s = mem.rotate(%a, %b) avoiding(%x : memref<32xf32>) : !mem.buffer<128>
  call @use(%r, %s) : (!mem.buffer<128>, !mem.buffer<128>) -> ()
  return
}

// CHECK-LABEL: func.func @unused_places_vanish
func.func @unused_places_vanish(%a: !mem.buffer<128>, %arena: !mem.arena, %n: index) {
  // CHECK-NEXT: return
  %buffer = mem.buffer : !mem.buffer<128>
  %other = mem.arena "sram", 64 : !mem.arena
  %descriptor = mem.descriptor %a[0, %n] : !mem.buffer<128> -> memref<?xi8>
  %view = mem.view %arena[0] : !mem.arena -> memref<32xf32>
  %slice = mem.slice %arena[0, 64] : !mem.arena -> !mem.arena
  %rotate = mem.rotate(%a) : !mem.buffer<128>
  return
}

// CHECK-LABEL: func.func @kernels_that_write_stay
func.func @kernels_that_write_stay(%v: memref<32xf32>) {
  // CHECK-NEXT: mem.kernel "define"
  // CHECK-NEXT: mem.kernel "define"
  // CHECK-NEXT: mem.kernel "may_define"
  // CHECK-NEXT: return
  mem.kernel "define" defines(%v : memref<32xf32>)
  mem.kernel "define" defines(%v : memref<32xf32>)
  mem.kernel "may_define" may_defines(%v : memref<32xf32>)
  mem.kernel "use" uses(%v : memref<32xf32>)
  return
}

// CHECK-LABEL: func.func @transfers_and_waits_stay
func.func @transfers_and_waits_stay(%x: memref<32xf32>, %y: memref<32xf32, 1>, %z: memref<32xf32>) {
  // CHECK-NEXT: %[[T:.*]] = mem.load async
  // CHECK-NEXT: mem.wait %[[T]]
  // CHECK-NEXT: mem.store
  // CHECK-NEXT: mem.swap
  // CHECK-NEXT: mem.move async
  // CHECK-NEXT: return
  %t = mem.load async %x to %y : memref<32xf32> to memref<32xf32, 1>
  mem.wait %t
  mem.store %y to %x : memref<32xf32, 1> to memref<32xf32>
  mem.swap %x to %y : memref<32xf32> to memref<32xf32, 1>
  %u = mem.move async %x to %z : memref<32xf32> to memref<32xf32>
  return
}

// Reads before and after a transfer or a kernel that writes the same bytes are different reads; reads
// before and after a kernel that only reads them are the same read.
// CHECK-LABEL: func.func @reads_around_writes
func.func @reads_around_writes(%x: memref<32xf32>, %y: memref<32xf32, 1>, %i: index) -> (f32, f32, f32, f32) {
  // CSE: memref.load
  %0 = memref.load %x[%i] : memref<32xf32>
  // CSE-NEXT: mem.store
  mem.store %y to %x : memref<32xf32, 1> to memref<32xf32>
  // CSE-NEXT: memref.load
  %1 = memref.load %x[%i] : memref<32xf32>
  // CSE-NEXT: mem.kernel "write"
  mem.kernel "write" may_defines(%x : memref<32xf32>)
  // CSE-NEXT: memref.load
  // CSE-NEXT: return
  %2 = memref.load %x[%i] : memref<32xf32>
  mem.kernel "read" uses(%x : memref<32xf32>)
  %3 = memref.load %x[%i] : memref<32xf32>
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

func.func @callee(%a: !mem.buffer<128>) {
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  mem.kernel "inlined" defines(%v : memref<32xf32>)
  return
}

// INLINE-LABEL: func.func @inlining
func.func @inlining(%a: !mem.buffer<128>) {
  // INLINE-NEXT: mem.descriptor
  // INLINE-NEXT: mem.kernel "inlined"
  // INLINE-NEXT: return
  call @callee(%a) : (!mem.buffer<128>) -> ()
  return
}

// A descriptor is hoisted out of a loop, but a buffer that is new in every iteration is not.
// MOTION-LABEL: func.func @loops
func.func @loops(%a: !mem.buffer<128>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // MOTION: mem.descriptor
  // MOTION-NEXT: scf.for
  // MOTION-NEXT: mem.buffer
  // MOTION-NEXT: mem.descriptor
  // MOTION-NEXT: mem.kernel
  scf.for %i = %c0 to %n step %c1 {
    %b = mem.buffer : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "step" uses(%v : memref<32xf32>) defines(%w : memref<32xf32>)
  }
  return
}
