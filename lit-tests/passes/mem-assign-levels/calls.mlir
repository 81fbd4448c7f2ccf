// Both operands of a call are views of one buffer, which has moved, and the callee accesses neither, or only the second: they are where the
// buffer is.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s strategy=least-recently-used optimize=false})' | FileCheck %s

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", capacity = 391, read = (latency = 2, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0), space = 1>,
    #mem.level<"slow", read = (latency = 114, bandwidth = 4.0), write = (latency = 114, bandwidth = 4.0), space = 0>>} {
  func.func @none(%a: memref<8xf32, strided<[1], offset: ?>>, %b: memref<8xf32, strided<[1], offset: ?>>) attributes {no_inline} {
    return
  }
  func.func @second(%a: memref<8xf32, strided<[1], offset: ?>>, %b: memref<8xf32, strided<[1], offset: ?>>) attributes {no_inline} {
    %v = arith.constant 1.0 : f32
    linalg.fill ins(%v : f32) outs(%b : memref<8xf32, strided<[1], offset: ?>>)
    return
  }
  // CHECK-LABEL: func.func @calls_none
  // CHECK: call @none(%{{.*}}, %{{.*}}) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  func.func @calls_none(%v: f32) -> f32 {
    %bytes = memref.alloc() : memref<96xi8>
    %c20 = arith.constant 20 : index
    %all = memref.view %bytes[%c20][] : memref<96xi8> to memref<16xf32>
    linalg.fill ins(%v : f32) outs(%all : memref<16xf32>)
    %a = memref.subview %all[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
    %b = memref.subview %all[3] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 3>>
    %a_cast = memref.cast %a : memref<8xf32, strided<[1], offset: 4>> to memref<8xf32, strided<[1], offset: ?>>
    %b_cast = memref.cast %b : memref<8xf32, strided<[1], offset: 3>> to memref<8xf32, strided<[1], offset: ?>>
    func.call @none(%a_cast, %b_cast) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
    %c7 = arith.constant 7 : index
    %result = memref.load %all[%c7] : memref<16xf32>
    return %result : f32
  }
  // CHECK-LABEL: func.func @calls_second
  // CHECK: call @second(%{{.*}}, %{{.*}}) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  func.func @calls_second(%v: f32) -> f32 {
    %bytes = memref.alloc() : memref<96xi8>
    %c20 = arith.constant 20 : index
    %all = memref.view %bytes[%c20][] : memref<96xi8> to memref<16xf32>
    linalg.fill ins(%v : f32) outs(%all : memref<16xf32>)
    %a = memref.subview %all[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
    %b = memref.subview %all[3] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 3>>
    %a_cast = memref.cast %a : memref<8xf32, strided<[1], offset: 4>> to memref<8xf32, strided<[1], offset: ?>>
    %b_cast = memref.cast %b : memref<8xf32, strided<[1], offset: 3>> to memref<8xf32, strided<[1], offset: ?>>
    func.call @second(%a_cast, %b_cast) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
    %c7 = arith.constant 7 : index
    %result = memref.load %all[%c7] : memref<16xf32>
    return %result : f32
  }
  // The operand is in one of several buffers, as far as the planner knows.
  // CHECK-LABEL: func.func @calls_in_loop
  // CHECK: call @second(%{{.*}}, %{{.*}}) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  func.func @calls_in_loop(%v: f32) -> f32 {
    %bytes = memref.alloc() : memref<96xi8>
    %c20 = arith.constant 20 : index
    %all = memref.view %bytes[%c20][] : memref<96xi8> to memref<16xf32>
    linalg.fill ins(%v : f32) outs(%all : memref<16xf32>)
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%at = %all) -> (memref<16xf32>) {
      %a = memref.subview %at[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
      %b = memref.subview %at[3] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 3>>
      %a_cast = memref.cast %a : memref<8xf32, strided<[1], offset: 4>> to memref<8xf32, strided<[1], offset: ?>>
      %b_cast = memref.cast %b : memref<8xf32, strided<[1], offset: 3>> to memref<8xf32, strided<[1], offset: ?>>
      func.call @second(%a_cast, %b_cast) : (memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) -> ()
      scf.yield %at : memref<16xf32>
    }
    %c7 = arith.constant 7 : index
    %result = memref.load %all[%c7] : memref<16xf32>
    return %result : f32
  }
}
