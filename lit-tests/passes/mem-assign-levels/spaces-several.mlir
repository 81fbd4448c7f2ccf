// A value with sources in two memory spaces. Without a generic memory space, all sources are planned into one. With one, a
// plan that costs less has casts. A function that is called from two places has arguments where arguments are.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels,mem-verify-plan)' \
// RUN:   | FileCheck %s --implicit-check-not=memory_space_cast
// RUN: sed 's/16.0)>>/16.0)>, generic = 0>/' %s > %t.generic.mlir
// RUN: mem-opt %t.generic.mlir --pass-pipeline='builtin.module(mem-assign-levels,mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=GENERIC
//
// The casts change no behavior, and disappear with the spaces.
// RUN: mem-opt %t.generic.mlir --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%t.generic.mlir},mem-erase-spaces)' \
// RUN:   | FileCheck %s --check-prefix=ERASED --implicit-check-not=memory_space_cast --implicit-check-not='f32, 3'
// ERASED: func.func @both

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 192, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0), space = 3>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 16.0)>>} {
  // Only one of two fits the fast level.
  // CHECK-LABEL: func.func @both(
  // CHECK: %[[A:.*]] = mem.view %slow[{{.*}} name = "a"}
  // CHECK: %[[B:.*]] = mem.view %slow[{{.*}} name = "b"}
  // CHECK: arith.select {{.*}} : memref<32xf32>
  // GENERIC-LABEL: func.func @both(
  // GENERIC: mem.view %fast[
  // GENERIC: mem.view %slow[
  // GENERIC: %[[CAST:.*]] = memref.memory_space_cast %{{.*}} : memref<32xf32, 3> to memref<32xf32>
  // GENERIC: arith.select %{{.*}}, %{{.*}}, %[[CAST]] : memref<32xf32>
  func.func @both(%x: memref<32xf32> {mem.noalias}, %p: i1) -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<128>
    %w = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%v, %w : memref<32xf32>, memref<32xf32>)
    %s = arith.select %p, %w, %v : memref<32xf32>
    %l = memref.load %s[%c0] : memref<32xf32>
    return %l : f32
  }

  // An argument stays where it is.
  // CHECK-LABEL: func.func @argument(
  // CHECK: mem.view %slow[
  // CHECK: scf.if %{{.*}} -> (memref<32xf32>)
  // GENERIC-LABEL: func.func @argument(
  // GENERIC: mem.view %fast[
  // GENERIC: memref.memory_space_cast {{.*}} to memref<32xf32>
  func.func @argument(%x: memref<32xf32> {mem.noalias}, %p: i1) -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%v : memref<32xf32>)
    mem.kernel "b" uses(%v : memref<32xf32>) defines(%v : memref<32xf32>)
    %s = scf.if %p -> memref<32xf32> {
      scf.yield %x : memref<32xf32>
    } else {
      scf.yield %v : memref<32xf32>
    }
    %l = memref.load %s[%c0] : memref<32xf32>
    return %l : f32
  }

  // CHECK-LABEL: func.func private @callee(
  // CHECK-SAME: %{{.*}}: memref<32xf32>, %{{.*}}: memref<32xf32>)
  func.func private @callee(%x: memref<32xf32>, %y: memref<32xf32>) {
    mem.kernel "c" uses(%x : memref<32xf32>) defines(%y : memref<32xf32>)
    return
  }

  // CHECK-LABEL: func.func @caller(
  // CHECK: call @callee({{.*}}) : (memref<32xf32>, memref<32xf32>) -> ()
  // CHECK: call @callee({{.*}}) : (memref<32xf32>, memref<32xf32>) -> ()
  // CHECK: mem.load %{{.*}} to %{{.*}} : memref<128xi8> to memref<128xi8, 3>
  // CHECK: mem.kernel "d" uses(%{{.*}} : memref<32xf32, 3>)
  func.func @caller(%x: memref<32xf32> {mem.noalias}) -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<128>
    %w = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
    func.call @callee(%x, %v) : (memref<32xf32>, memref<32xf32>) -> ()
    func.call @callee(%v, %w) : (memref<32xf32>, memref<32xf32>) -> ()
    mem.kernel "d" uses(%w : memref<32xf32>) defines(%w : memref<32xf32>)
    mem.kernel "d" uses(%w : memref<32xf32>) defines(%w : memref<32xf32>)
    mem.kernel "d" uses(%w : memref<32xf32>) defines(%w : memref<32xf32>)
    mem.kernel "d" uses(%w : memref<32xf32>) defines(%w : memref<32xf32>)
    %l = memref.load %w[%c0] : memref<32xf32>
    return %l : f32
  }

  // An operand that a public callee does not access has the type of the parameter all the same.
  // CHECK-LABEL: func.func @unread(
  // CHECK: call @ignores(%{{.*}}) : (memref<32xf32>) -> ()
  func.func @ignores(%x: memref<32xf32>) {
    return
  }
  func.func @unread(%x: memref<32xf32> {mem.noalias}) -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%v : memref<32xf32>)
    func.call @ignores(%v) : (memref<32xf32>) -> ()
    mem.kernel "b" uses(%v : memref<32xf32>) defines(%v : memref<32xf32>)
    mem.kernel "c" uses(%v : memref<32xf32>) defines(%v : memref<32xf32>)
    %l = memref.load %v[%c0] : memref<32xf32>
    return %l : f32
  }
}
