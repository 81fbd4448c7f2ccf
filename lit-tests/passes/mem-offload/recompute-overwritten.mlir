// A copy of an argument is not made again once the argument has changed, even in part.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s optimize=false alignment=16 budget=555})' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: memref.copy %arg2
// CHECK-NOT: mem.recompute
// CHECK: return
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"device", capacity = 356, alignment = 4, read = (latency = 6, bandwidth = 64.0), write = (latency = 2, bandwidth = 64.0)>, #mem.level<"host", alignment = 1, read = (latency = 20, bandwidth = 16.0), write = (latency = 50, bandwidth = 16.0)>, engines = [#mem.engine<"dma", "device" to "host", "host" to "device">]>} {
  func.func private @helper0(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) {
        %v0 = memref.alloc() {alignment = 16 : i64} : memref<13xf32>
        %v1 = memref.alloc() : memref<13xf32>
        %v2 = arith.constant 0 : index
        %v3 = arith.constant 1 : index
        %v4, %v5 = scf.for %v6 = %v2 to %n step %v3 iter_args(%v7 = %v0, %v8 = %v1) -> (memref<13xf32>, memref<13xf32>) {
          scf.yield %v8, %v7 : memref<13xf32>, memref<13xf32>
        }
        %v9 = arith.constant true
        cf.cond_br %v9, ^b48, ^b49
  ^b50(%v10: memref<3xf32>):
    return
  ^b49:
        %v11 = memref.alloc() {alignment = 16 : i64} : memref<3xf32>
        cf.br ^b50(%v11 : memref<3xf32>)
  ^b48:
        %v12 = memref.alloc() : memref<3xf32>
        cf.br ^b50(%v12 : memref<3xf32>)
  }
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<5xf32>, %shared: memref<96xi8>, %flag: i1, %n: index) {
    %v13 = arith.constant 1 : index
    %v14 = arith.addi %n, %v13 : index
    %v15 = memref.alloc(%v14) : memref<?xf32>
    %v16 = memref.alloc(%v14) : memref<?xf32>
    memref.copy %v15, %v16 : memref<?xf32> to memref<?xf32>
    %v17 = memref.alloc() : memref<8xf32>
    %v18 = memref.alloc() {alignment = 16 : i64} : memref<5xf32>
    memref.copy %z, %v18 : memref<5xf32> to memref<5xf32>
    %v19 = arith.constant 5 : index
    %v20 = arith.constant 0 : index
    %v21 = memref.load %v17[%v19] : memref<8xf32>
    %v22 = memref.load %z[%v20] : memref<5xf32>
    %v23 = arith.subf %v21, %v22 : f32
    memref.store %v23, %z[%v20] : memref<5xf32>
    %v24 = arith.constant 3 : index
    %v25 = arith.constant 0 : index
    %v26 = memref.load %v18[%v24] : memref<5xf32>
    %v27 = memref.load %z[%v25] : memref<5xf32>
    %v28 = arith.subf %v26, %v27 : f32
    memref.store %v28, %z[%v25] : memref<5xf32>
    return
  }
}
