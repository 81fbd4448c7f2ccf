// All places of a tensor have its name, so arguments that are moved get names that no other tensor has. A name that an
// attribute states is kept, even if an earlier argument would get the same name from its location or by default.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=farthest-next-use},mem-verify-plan)' | FileCheck %s

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 4096, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>>} {
  memref.global "private" constant @g : memref<32xf32> = dense<1.0>

  // The location of the argument is the name of the global's places.
  // CHECK-LABEL: func.func @global(
  // CHECK-SAME: mem.name = "_g"
  // CHECK-DAG: mem.view {{.*}}name = "@g"
  // CHECK-DAG: mem.view {{.*}}name = "_g"
  // CHECK: return
  func.func @global(%x: memref<32xf32> loc("@g")) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = memref.get_global @g : memref<32xf32>
    mem.kernel "a" uses(%w, %x : memref<32xf32>, memref<32xf32>) defines(%va : memref<32xf32>)
    mem.kernel "b" uses(%w, %x, %va : memref<32xf32>, memref<32xf32>, memref<32xf32>) may_defines(%va : memref<32xf32>)
    return
  }

  // The first argument is moved and the second one, of an unknown size, is not.
  // CHECK-LABEL: func.func @stated(
  // CHECK-SAME: memref<32xf32> {mem.name = "y.1"}, %{{.*}}: memref<?xf32> {mem.name = "y"}
  func.func @stated(%x: memref<32xf32> loc("y"), %y: memref<?xf32> {mem.name = "y"}) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x, %y : memref<32xf32>, memref<?xf32>) defines(%va : memref<32xf32>)
    mem.kernel "b" uses(%x, %y, %va : memref<32xf32>, memref<?xf32>, memref<32xf32>) may_defines(%va : memref<32xf32>)
    return
  }

  // CHECK-LABEL: func.func @default(
  // CHECK-SAME: memref<32xf32> {mem.name = "arg0.1"}, %{{.*}}: memref<?xf32> {mem.name = "arg0"}
  func.func @default(%x: memref<32xf32>, %y: memref<?xf32> {mem.name = "arg0"}) {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x, %y : memref<32xf32>, memref<?xf32>) defines(%va : memref<32xf32>)
    mem.kernel "b" uses(%x, %y, %va : memref<32xf32>, memref<?xf32>, memref<32xf32>) may_defines(%va : memref<32xf32>)
    return
  }
}
