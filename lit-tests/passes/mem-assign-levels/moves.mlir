// A tensor moves within a level. No engine does that, so it happens where the plan has it, and the place it comes from ends there.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s strategy=local-search alignment=16 optimize=false order=auto})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: mem.move %{{.*}} : memref<32xi8, #mem.space<"l0">> to memref<32xi8, #mem.space<"l0">>
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"l0", capacity = 134, alignment = 16, read = (latency = 8, bandwidth = 64.0), write = (latency = 3, bandwidth = 64.0), space = #mem.space<"l0">>, #mem.level<"l1", capacity = 352, alignment = 8, read = (latency = 60, bandwidth = 16.0), write = (latency = 40, bandwidth = 16.0), space = 2>, #mem.level<"l2", alignment = 2, read = (latency = 76, bandwidth = 4.0), write = (latency = 38, bandwidth = 4.0), space = 3>, engines = [#mem.engine<"dma", "l0" to "l1", "l0" to "l2", "l1" to "l0", "l1" to "l2", "l2" to "l0", "l2" to "l1">], compute = 2.0>} {
  func.func private @helper0(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) {
        %v0 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
        %v1 = memref.alloc() {alignment = 64 : i64} : memref<5xf32>
        mem.kernel "k14" uses(%b : memref<8xf32>) defines(%v1 : memref<5xf32>)
        %v2 = memref.alloc() {alignment = 16 : i64} : memref<13xf32>
        %v3 = arith.constant true
        mem.kernel "k19" uses(%b : memref<8xf32>) defines(%v0 : memref<16xf32>) may_defines(%v1 : memref<5xf32>) workspace(%v2 : memref<13xf32>) if %v3
    return
  }
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<5xf32>, %shared: memref<96xi8>, %flag: i1, %n: index) {
    %v4 = memref.alloc() : memref<8xf32>
    memref.copy %x, %v4 : memref<8xf32> to memref<8xf32>
    func.call @helper0(%y, %v4, %n) : (memref<8xf32>, memref<8xf32>, index) -> ()
    %v5 = memref.alloc() : memref<5xf32>
    %v6 = arith.constant 0 : index
    %v7 = arith.constant 1 : index
    %v8 = arith.constant 0 : index
    %v9 = scf.for %v10 = %v6 to %v8 step %v7 iter_args(%v11 = %y) -> (memref<8xf32>) {
      scf.yield %v11 : memref<8xf32>
    }
    %v12 = arith.constant 5 : index
    %v13 = arith.remui %n, %v12 : index
    %v14 = arith.constant 0 : index
    %v15 = memref.load %v5[%v13] : memref<5xf32>
    %v16 = memref.load %z[%v14] : memref<5xf32>
    %v17 = arith.subf %v15, %v16 : f32
    memref.store %v17, %z[%v14] : memref<5xf32>
    return
  }
}
