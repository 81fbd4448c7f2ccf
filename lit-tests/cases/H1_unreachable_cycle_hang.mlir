// In unreachable code, MLIR allows values that are defined in terms of themselves. An analysis that
// traces a value to its origin must detect such a cycle.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu optimize=false})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan,mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu},mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-dependence,mem-annotate-dependence,mem-remove-copies)' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: return
func.func @main(%a: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  memref.copy %a, %t : memref<8xf32> to memref<8xf32>
  memref.copy %t, %a : memref<8xf32> to memref<8xf32>
  return
^bb1:
  %x = memref.cast %y : memref<8xf32> to memref<?xf32>
  %y = memref.cast %x : memref<?xf32> to memref<8xf32>
  memref.copy %y, %a : memref<8xf32> to memref<8xf32>
  cf.br ^bb1
}

// A loaded value is stored where it came from; a view of itself is moved, indexed by a sum of itself, and has a dimension.
// CHECK-LABEL: func.func @itself
// CHECK: return
func.func @itself(%a: memref<8xf32>, %i: index) {
  return
^bb1:
  %v = memref.load %a[%i] : memref<8xf32>
  memref.store %v, %a[%i] : memref<8xf32>
  cf.br ^bb1
^bb2:
  %s = memref.subview %s[%k] [8] [1] : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
  %k = arith.addi %k, %k : index
  %w = memref.load %s[%k] : memref<8xf32, strided<[1], offset: ?>>
  memref.store %w, %s[%k] : memref<8xf32, strided<[1], offset: ?>>
  %d = memref.dim %d.of, %k : memref<?xf32, strided<[1], offset: ?>>
  %d.of = memref.cast %s : memref<8xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %bytes, %offset, %size, %stride = memref.extract_strided_metadata %d.of : memref<?xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  cf.br ^bb2
}
