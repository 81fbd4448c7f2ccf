// Calls are replaced by callee bodies, and unreferenced functions are erased. The pass keeps recursion, functions
// with other references, several blocks where only one is allowed, and bodies with unregistered operations.
//
// RUN: mem-opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(mem-inline)' | FileCheck %s

// CHECK-LABEL: module
// CHECK-NOT: @inner
// CHECK-NOT: @outer
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: linalg.exp ins(%arg0 : memref<8xf32>) outs(%arg1
// CHECK-NEXT: linalg.exp ins(%arg1 : memref<8xf32>) outs(%arg0
// CHECK-NEXT: linalg.exp ins(%arg0 : memref<8xf32>) outs(%arg1
// CHECK-NEXT: return
func.func private @inner(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}
func.func private @outer(%a: memref<8xf32>, %b: memref<8xf32>) {
  func.call @inner(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @inner(%b, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @chain(%a: memref<8xf32>, %b: memref<8xf32>) {
  func.call @outer(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @inner(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @public
// CHECK-LABEL: func.func private @mentioned
// CHECK-NEXT: linalg.exp
// CHECK-LABEL: func.func @uses
// CHECK-NEXT: constant @mentioned
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: linalg.exp
func.func @public(%a: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}
func.func private @mentioned(%a: memref<8xf32>) {
  func.call @public(%a) : (memref<8xf32>) -> ()
  return
}
func.func @uses(%a: memref<8xf32>) -> ((memref<8xf32>) -> ()) {
  %f = func.constant @mentioned : (memref<8xf32>) -> ()
  func.call @mentioned(%a) : (memref<8xf32>) -> ()
  func.call @public(%a) : (memref<8xf32>) -> ()
  return %f : (memref<8xf32>) -> ()
}

// -----

// CHECK-LABEL: func.func private @even
// CHECK: call @odd
// CHECK-LABEL: func.func private @odd
// CHECK: call @even
// CHECK-LABEL: func.func @recursive
// CHECK-NEXT: call @even
// CHECK-NEXT: call @elsewhere
func.func private @even(%n: index) {
  func.call @odd(%n) : (index) -> ()
  return
}
func.func private @odd(%n: index) {
  func.call @even(%n) : (index) -> ()
  return
}
func.func private @elsewhere(index)
func.func @recursive(%n: index) {
  func.call @even(%n) : (index) -> ()
  func.call @elsewhere(%n) : (index) -> ()
  return
}

// -----

// CHECK-LABEL: func.func private @blocks
// CHECK-LABEL: func.func @one_block
// CHECK: scf.if
// CHECK-NEXT: call @blocks
// CHECK: cf.cond_br
func.func private @blocks(%a: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  cf.br ^bb2
^bb2:
  return
}
func.func @one_block(%a: memref<8xf32>, %c: i1) {
  scf.if %c {
    func.call @blocks(%a, %c) : (memref<8xf32>, i1) -> ()
  }
  func.call @blocks(%a, %c) : (memref<8xf32>, i1) -> ()
  return
}

// -----

// CHECK-LABEL: func.func private @unknown
// CHECK-LABEL: func.func private @known
// CHECK-LABEL: func.func @calls
// CHECK-NEXT: call @unknown
// CHECK-NEXT: linalg.exp
func.func private @unknown(%a: memref<8xf32>) {
  "foo.op"(%a) : (memref<8xf32>) -> ()
  return
}
// An unregistered operation may refer to this function by name.
func.func private @known(%a: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}
func.func @calls(%a: memref<8xf32>) {
  func.call @unknown(%a) : (memref<8xf32>) -> ()
  func.call @known(%a) : (memref<8xf32>) -> ()
  "foo.region"() ({
    "foo.end"() : () -> ()
  }) : () -> ()
  return
}
