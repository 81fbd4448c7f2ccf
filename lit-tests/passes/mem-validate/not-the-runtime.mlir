// A function that only has the name of a function of the runtime library is a call like any other.
//
// RUN: not mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/copy.mlir})' -o %t 2>&1 | FileCheck %s

// It is defined, and copies nothing.
// CHECK: error: mem-validate: in @copies, operand 0 differs from the original
func.func private @mem_runtime_begin(%engine: i32, %from: index, %to: index, %bytes: i64) -> i64 {
  return %bytes : i64
}
func.func private @mem_runtime_wait(i64)

func.func @copies(%x: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.alloc() : memref<16xf32>
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i64
  %from = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %y : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  %v = memref.load %y[%c0] : memref<16xf32>
  return %v : f32
}

// -----

// It has another type.
// CHECK: warning: mem-validate: @copies is not validated
func.func private @mem_runtime_begin(i32, index, index, i32) -> i64
func.func private @mem_runtime_wait(i64)

func.func @copies(%x: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %y = memref.alloc() : memref<16xf32>
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %from = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %y : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i32) -> i64
  call @mem_runtime_wait(%t) : (i64) -> ()
  %v = memref.load %y[%c0] : memref<16xf32>
  return %v : f32
}
