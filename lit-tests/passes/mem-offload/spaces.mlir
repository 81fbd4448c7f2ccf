// A public callee keeps the types of its arguments. Within a budget, all operands are on the device all the same: the operands
// of the call are cast to the default memory space, in which arguments on the device are, and nothing is copied.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{budget=2048 noalias-arguments=true},mem-verify-plan)' \
// RUN:   | FileCheck %s --implicit-check-not='mem.arena "host"' --implicit-check-not=mem.load --implicit-check-not=mem.store

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"dev", capacity = 65536, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0), space = 1>,
    #mem.level<"host", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>,
    engines = [#mem.engine<"in", "host" to "dev">, #mem.engine<"out", "dev" to "host">]>} {
  // CHECK: func.func @callee(%{{.*}}: memref<16x16xf32> {{.*}}, %{{.*}}: memref<16x16xf32>
  func.func @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
    linalg.transpose ins(%x : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
    return
  }
  // CHECK: func.func @main
  // CHECK: mem.arena "dev", 2048 {{.*}} : !mem.arena<1>
  // CHECK: %[[U:.*]] = memref.memory_space_cast %{{.*}} : memref<16x16xf32, 1> to memref<16x16xf32>
  // CHECK: %[[T:.*]] = memref.memory_space_cast %{{.*}} : memref<16x16xf32, 1> to memref<16x16xf32>
  // CHECK: call @callee(%[[U]], %[[T]]) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  // CHECK: linalg.add {{.*}}memref<16x16xf32, 1>
  func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
    %t = memref.alloc() : memref<16x16xf32>
    %u = memref.alloc() : memref<16x16xf32>
    linalg.exp ins(%x : memref<16x16xf32>) outs(%u : memref<16x16xf32>)
    func.call @callee(%u, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
    linalg.add ins(%t, %u : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
    return
  }
}
