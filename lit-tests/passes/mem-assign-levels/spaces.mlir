// The types of everything that is placed say the level: of arenas, places and their views, across regions, in the signatures
// of private functions. The types of arguments of public functions stay.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels,mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{spaces=name},mem-verify-plan)' | FileCheck %s --check-prefix=NAME
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{spaces=number},mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{spaces=none},mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not='f32, 3' --implicit-check-not='#mem.space'
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{spaces=names})' -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: mem-assign-levels: unknown value 'names' for option 'spaces': expected keep, name, none or number; did you mean 'name'?
//
// Planned output is input again, and stays as it is.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels)' -o %t.once
// RUN: mem-opt %t.once --pass-pipeline='builtin.module(mem-assign-levels)' -o %t.twice
// RUN: diff %t.once %t.twice

// NAME: mem.arena "fast", {{.*}} : !mem.arena<#mem.space<"fast">>
// NAME: memref.subview {{.*}} to memref<2x8xf32, strided<[8, 1]>, #mem.space<"fast">>
// NONE: mem.arena "fast", {{.*}} : !mem.arena
// NONE: memref.subview {{.*}} to memref<2x8xf32, strided<[8, 1]>>

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 4096, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0), space = 3>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>>} {
  // CHECK-LABEL: func.func @views(
  // CHECK-SAME: %{{.*}}: memref<32xf32> {mem.noalias}
  // CHECK: %[[ARENA:.*]] = mem.arena "fast", {{.*}} : !mem.arena<3>
  // CHECK: %[[A:.*]] = mem.view %[[ARENA]][0] {{.*}} : !mem.arena<3> -> !mem.buffer<128, 3>
  // CHECK: %[[V:.*]] = mem.descriptor %[[A]][0, 128] : !mem.buffer<128, 3> -> memref<32xf32, 3>
  // CHECK: mem.kernel "a" uses(%{{.*}} : memref<32xf32>) defines(%[[V]] : memref<32xf32, 3>)
  // CHECK: memref.expand_shape {{.*}} : memref<32xf32, 3> into memref<4x8xf32, 3>
  // CHECK: memref.subview {{.*}} to memref<2x8xf32, strided<[8, 1]>, 3>
  // CHECK: memref.cast {{.*}} to memref<?x?xf32, strided<[?, ?], offset: ?>, 3>
  // CHECK: memref.load {{.*}} : memref<?x?xf32, strided<[?, ?], offset: ?>, 3>
  func.func @views(%x: memref<32xf32> {mem.noalias}, %i: index) -> f32 {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%v : memref<32xf32>)
    %m = memref.expand_shape %v [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
    %s = memref.subview %m[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
    %c = memref.cast %s : memref<2x8xf32, strided<[8, 1]>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %l = memref.load %c[%i, %i] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    return %l : f32
  }

  // CHECK-LABEL: func.func @control(
  // CHECK: scf.for {{.*}} -> (memref<32xf32, 3>, memref<32xf32, 3>)
  // CHECK: scf.if {{.*}} -> (memref<32xf32, 3>)
  // CHECK: arith.select {{.*}} : memref<32xf32, 3>
  // CHECK: memref.load {{.*}} : memref<32xf32, 3>
  func.func @control(%x: memref<32xf32> {mem.noalias}, %p: i1, %n: index) -> f32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<128>
    %w = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%v, %w : memref<32xf32>, memref<32xf32>)
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p0 = %v, %p1 = %w) -> (memref<32xf32>, memref<32xf32>) {
      mem.kernel "b" uses(%p0 : memref<32xf32>) defines(%p1 : memref<32xf32>)
      scf.yield %p1, %p0 : memref<32xf32>, memref<32xf32>
    }
    %t = scf.if %p -> memref<32xf32> {
      scf.yield %r#0 : memref<32xf32>
    } else {
      scf.yield %r#1 : memref<32xf32>
    }
    %s = arith.select %p, %t, %v : memref<32xf32>
    %l = memref.load %s[%c0] : memref<32xf32>
    return %l : f32
  }

  // CHECK-LABEL: func.func private @callee(
  // CHECK-SAME: %{{.*}}: memref<32xf32, 3>, %{{.*}}: memref<32xf32, 3>) -> memref<16xf32, strided<[1]>, 3>
  // CHECK: return %{{.*}} : memref<16xf32, strided<[1]>, 3>
  func.func private @callee(%x: memref<32xf32>, %y: memref<32xf32>) -> memref<16xf32, strided<[1]>> {
    mem.kernel "c" uses(%x : memref<32xf32>) defines(%y : memref<32xf32>)
    %s = memref.subview %y[0] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1]>>
    return %s : memref<16xf32, strided<[1]>>
  }
  // CHECK-LABEL: func.func @caller(
  // CHECK: call @callee({{.*}}) : (memref<32xf32, 3>, memref<32xf32, 3>) -> memref<16xf32, strided<[1]>, 3>
  // CHECK: memref.load {{.*}} : memref<16xf32, strided<[1]>, 3>
  func.func @caller(%x: memref<32xf32> {mem.noalias}) -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<128>
    %w = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" uses(%x : memref<32xf32>) defines(%v : memref<32xf32>)
    %s = func.call @callee(%v, %w) : (memref<32xf32>, memref<32xf32>) -> memref<16xf32, strided<[1]>>
    %l = memref.load %s[%c0] : memref<16xf32, strided<[1]>>
    return %l : f32
  }
}
