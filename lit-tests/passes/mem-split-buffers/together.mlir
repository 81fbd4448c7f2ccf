// Contents that must stay in one buffer.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-split-buffers)' | FileCheck %s

// The second definition covers one half; the read of the whole buffer sees both definitions.
// CHECK-LABEL: func.func @joined
// CHECK: mem.buffer {name = "a"} : !mem.buffer<512>
// CHECK-NOT: mem.buffer {
// CHECK: return
func.func @joined(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %y = mem.descriptor %a[256, 256] : !mem.buffer<512> -> memref<64xf32>
  mem.kernel "make" defines(%x : memref<128xf32>)
  mem.kernel "make" defines(%y : memref<64xf32>)
  mem.kernel "read" uses(%x : memref<128xf32>) defines(%out : memref<128xf32>)
  return
}

// Only one of two branches redefines it.
// CHECK-LABEL: func.func @perhaps
// CHECK: mem.buffer {name = "a"} : !mem.buffer<512>
// CHECK-NOT: mem.buffer {
// CHECK: return
func.func @perhaps(%out: memref<128xf32>, %p: i1) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  mem.kernel "make" defines(%x : memref<128xf32>)
  scf.if %p {
    mem.kernel "make" defines(%x : memref<128xf32>)
  }
  mem.kernel "read" uses(%x : memref<128xf32>) defines(%out : memref<128xf32>)
  return
}

// In place: two separate buffers would need twice the memory.
// CHECK-LABEL: func.func @in_place
// CHECK: mem.buffer {name = "a"} : !mem.buffer<512>
// CHECK-NOT: mem.buffer {
// CHECK: return
func.func @in_place(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<128xf32>
  %y = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<16x8xf32>
  mem.kernel "make" defines(%x : memref<128xf32>)
  mem.kernel "in place" uses(%x : memref<128xf32>) defines(%y : memref<16x8xf32>)
  mem.kernel "read" uses(%y : memref<16x8xf32>) defines(%out : memref<128xf32>)
  return
}

// Which half is read is known only at run time.
// CHECK-LABEL: func.func @anywhere
// CHECK: mem.buffer {name = "a"} : !mem.buffer<512>
// CHECK-NOT: mem.buffer {
// CHECK: return
func.func @anywhere(%out: memref<128xf32>, %at: index) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 256] : !mem.buffer<512> -> memref<64xf32>
  %y = mem.descriptor %a[256, 256] : !mem.buffer<512> -> memref<64xf32>
  %z = mem.descriptor %a[%at, 256] : !mem.buffer<512> -> memref<64xf32>
  mem.kernel "x" defines(%x : memref<64xf32>)
  mem.kernel "y" defines(%y : memref<64xf32>)
  mem.kernel "read" uses(%z : memref<64xf32>) defines(%out : memref<128xf32>)
  return
}

// The address escapes.
// CHECK-LABEL: func.func @passed
// CHECK: mem.buffer {name = "a"} : !mem.buffer<512>
// CHECK-NOT: mem.buffer {
// CHECK: return
func.func private @callee(memref<64xf32>)
func.func @passed(%out: memref<128xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<512>
  %x = mem.descriptor %a[0, 256] : !mem.buffer<512> -> memref<64xf32>
  %y = mem.descriptor %a[256, 256] : !mem.buffer<512> -> memref<64xf32>
  call @callee(%x) : (memref<64xf32>) -> ()
  mem.kernel "y" defines(%y : memref<64xf32>)
  mem.kernel "read" uses(%y : memref<64xf32>) defines(%out : memref<128xf32>)
  return
}
