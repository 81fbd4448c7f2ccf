// A name means the symbol of the nearest module, whatever an outer module calls by that name.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(builtin.module(mem-forward-stores))' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(builtin.module(mem-default-pipeline))' -o /dev/null

memref.global "private" constant @written : memref<4xf32> = dense<1.0>
memref.global "private" @constant : memref<4xf32> = dense<1.0>
module @inner {
  memref.global "private" @written : memref<4xf32> = dense<2.0>
  memref.global "private" constant @constant : memref<4xf32> = dense<2.0>
  func.func private @writes()

  // The callee may write the global of the inner module, so the copy is needed.
  // CHECK-LABEL: func.func @saved
  // CHECK: %[[COPY:.*]] = memref.alloc
  // CHECK: call @writes
  // CHECK: memref.copy %[[COPY]], %arg0
  func.func @saved(%out: memref<4xf32>) {
    %g = memref.get_global @written : memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    memref.copy %g, %t : memref<4xf32> to memref<4xf32>
    func.call @writes() : () -> ()
    memref.copy %t, %out : memref<4xf32> to memref<4xf32>
    return
  }

  // Nothing writes a constant.
  // CHECK-LABEL: func.func @unchanged
  // CHECK: %[[G:.*]] = memref.get_global @constant
  // CHECK: call @writes
  // CHECK: memref.copy %[[G]], %arg0
  func.func @unchanged(%out: memref<4xf32>) {
    %g = memref.get_global @constant : memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    memref.copy %g, %t : memref<4xf32> to memref<4xf32>
    func.call @writes() : () -> ()
    memref.copy %t, %out : memref<4xf32> to memref<4xf32>
    return
  }
}
