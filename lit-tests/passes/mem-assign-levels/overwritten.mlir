// An argument that is fully overwritten in a faster level is not loaded, but the plan still assumes
// that it shares no bytes with other arguments. `mem.noalias` on the argument records the assumption.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{noalias-arguments=true},mem-verify-plan)' | FileCheck %s

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 64, read = (latency = 0, bandwidth = 64.0), write = (latency = 4, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 114, bandwidth = 4.0), write = (latency = 152, bandwidth = 4.0)>>} {
  // CHECK: func.func @main(%{{.*}}: memref<8xf32> {mem.noalias, {{.*}}}, %[[Y:.*]]: memref<8xf32> {mem.name = "arg1", mem.noalias
  // CHECK: %[[FAST:.*]] = mem.view %{{.*}} {alignment = 4 : i64, name = "arg1"}
  // CHECK: memref.subview %[[FAST]]
  // CHECK-NOT: mem.load
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
    %zero = arith.constant 0 : index
    %cst = arith.constant 52.25 : f32
    %part = memref.subview %y[%zero] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.fill ins(%cst : f32) outs(%part : memref<8xf32, strided<[1], offset: ?>>)
    %t = memref.alloc() : memref<8xf32>
    memref.copy %y, %t : memref<8xf32> to memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (-d0 + 7)>], iterator_types = ["parallel"]} ins(%x : memref<8xf32>) outs(%t : memref<8xf32>) {
    ^bb0(%own: f32, %old: f32):
      linalg.yield %own : f32
    }
    memref.copy %t, %y : memref<8xf32> to memref<8xf32>
    return
  }
}
