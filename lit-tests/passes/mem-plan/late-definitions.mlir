// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,convert-memref-to-mem,mem-plan,mem-verify-plan,mem-validate)' | FileCheck %s

// Blocks need not be in the order of their execution: a use may precede the definition. The copy of the program that
// the plan is compared with uses its own values there.

// CHECK-LABEL: @use_precedes_definition
// CHECK: mem.arena "arena", 128
// CHECK: ^bb1:
// CHECK-NEXT: linalg.add ins(%[[A:[0-9]+]], %[[B:[0-9]+]] :
// CHECK: ^bb2:
// CHECK: mem.view %{{.*}}[0]
// CHECK-NEXT: %[[A]] = mem.descriptor
// CHECK: mem.view %{{.*}}[64]
// CHECK-NEXT: %[[B]] = mem.descriptor
func.func @use_precedes_definition(%in: memref<16xf32>, %out: memref<16xf32>) {
  cf.br ^fill
^copy:
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
^fill:
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.br ^copy
}

// The same with a scalar, and in a loop.
// CHECK-LABEL: @scalar_precedes_definition
// CHECK: ^bb2:
// CHECK-NEXT: arith.addf %[[SUM:[0-9]+]], %[[SUM]]
// CHECK: ^bb3:
// CHECK: %[[SUM]] = arith.addf
func.func @scalar_precedes_definition(%in: memref<16xf32>, %out: memref<16xf32>, %again: i1) {
  %c0 = arith.constant 0 : index
  %buffer = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%buffer : memref<16xf32>)
  cf.br ^load
^leave:
  return
^store:
  %twice = arith.addf %sum, %sum : f32
  memref.store %twice, %out[%c0] : memref<16xf32>
  cf.cond_br %again, ^load, ^leave
^load:
  %element = memref.load %buffer[%c0] : memref<16xf32>
  %sum = arith.addf %element, %element : f32
  cf.br ^store
}
