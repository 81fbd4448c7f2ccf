// A result takes over the bytes of an operand only if the operation reads the operand from its first byte on: here, it reads a part in the middle.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s optimize=false noalias-arguments=true alignment=1 budget=759 spaces=none})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[BYTES:.*]] = mem.view {{.*}} -> !mem.buffer<96>
// CHECK: linalg.generic
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"l0", capacity = 345, alignment = 2, read = (latency = 4, bandwidth = 64.0), write = (latency = 3, bandwidth = 64.0), space = 0>, #mem.level<"l1", alignment = 2, read = (latency = 80, bandwidth = 16.0), write = (latency = 80, bandwidth = 16.0), space = 2>, engines = [#mem.engine<"dma", "l0" to "l1", "l1" to "l0">]>} {
  memref.global "private" @g1 : memref<8xf32> = dense<1.5>
  func.func private @helper0(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) attributes {no_inline} {
        %v0 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
        cf.br ^b39(%v0 : memref<1xf32>)
  ^b37:
        %v1 = memref.alloc() : memref<1xf32>
        cf.br ^b39(%v1 : memref<1xf32>)
  ^b39(%v2: memref<1xf32>):
    return
  }
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<5xf32>, %flag: i1, %n: index) {
    %v3 = memref.alloc() {alignment = 16 : i64} : memref<96xi8>
    %v4 = arith.constant 0 : index
    %v5 = memref.view %v3[%v4][] : memref<96xi8> to memref<24xf32>
    %v6 = arith.constant 14.25 : f32
    linalg.fill ins(%v6 : f32) outs(%v5 : memref<24xf32>)
    %v7 = arith.constant 20 : index
    %v8 = memref.view %v3[%v7][] : memref<96xi8> to memref<8xf32>
    %v9 = arith.constant 4 : index
    %v10 = memref.view %v3[%v9][] : memref<96xi8> to memref<3xf32>
    %v11 = memref.get_global @g1 : memref<8xf32>
    %v12 = arith.constant 1 : index
    %v13 = arith.addi %n, %v12 : index
    %v14 = memref.alloc(%v13) : memref<?xf32>
    %v15 = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v8, %v11 : memref<8xf32>, memref<8xf32>) outs(%v15 : memref<8xf32>) { ^bb0(%v16: f32, %v17: f32, %v18: f32): %v19 = arith.subf %v16, %v17 : f32 linalg.yield %v19 : f32 }
    %v20 = arith.constant 0 : index
    %v21 = memref.load %v14[%v20] : memref<?xf32>
    %v22 = arith.constant 3 : index
    %v23 = arith.remui %n, %v22 : index
    %v24 = memref.load %v10[%v23] : memref<3xf32>
    return
  }
}
