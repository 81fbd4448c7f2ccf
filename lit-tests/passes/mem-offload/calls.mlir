// Functions that are called and not inlined: while they run, what their callers have is on the device, too. A callee without tensors of its own
// needs nothing of the budget; one that has some is an error that says so, and so is a public one, which used to get the
// whole budget once more. In other hierarchies what callees have is in the slowest level.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=2048},mem-verify-plan)' --split-input-file --verify-diagnostics
// RUN: mem-opt %S/inputs/calls.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu capacity=2048},mem-verify-plan)' \
// RUN:   | FileCheck %s
//
// CHECK: func.func @callee
// CHECK-NOT: mem.arena "sram"
// CHECK: mem.arena "dram", 1024
// CHECK: func.func @main
// CHECK: mem.arena "sram", 2048

// expected-remark@+1 {{everything fits in 2048 bytes}}
module {
func.func private @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  linalg.transpose ins(%x : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  %u = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%u : memref<16x16xf32>)
  func.call @callee(%u, %t) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  linalg.add ins(%t, %u : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
  return
}
}

// -----

func.func private @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  // expected-note@+1 {{'buf0' holds 1024 bytes}}
  %own = memref.alloc() : memref<16x16xf32>
  // expected-error@+1 {{@callee is called and not inlined, and needs 1024 bytes of 'hbm' for its own tensors here: the budget is its callers'; inline it}}
  linalg.exp ins(%x : memref<16x16xf32>) outs(%own : memref<16x16xf32>)
  linalg.transpose ins(%own : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%t : memref<16x16xf32>)
  // expected-note@+1 {{called here}}
  func.call @callee(%t, %y) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}

// -----

func.func @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  // expected-note@+1 {{'buf0' holds 1024 bytes}}
  %own = memref.alloc() : memref<16x16xf32>
  // expected-error@+1 {{@callee is called and not inlined}}
  linalg.exp ins(%x : memref<16x16xf32>) outs(%own : memref<16x16xf32>)
  linalg.transpose ins(%own : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%t : memref<16x16xf32>)
  // expected-note@+1 {{called here}}
  func.call @callee(%t, %y) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}

// -----

// The caller has nothing on the device: the callee has all of it.
// expected-remark@+1 {{everything fits in 2048 bytes}}
module {
func.func private @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %own = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%own : memref<16x16xf32>)
  linalg.transpose ins(%own : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  func.call @callee(%x, %y) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
}

// -----

// The caller has no plan within the budget either, but no other budget would do.
func.func private @callee(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  // expected-note@+1 {{'buf0' holds 1024 bytes}}
  %own = memref.alloc() : memref<16x16xf32>
  // expected-error@+1 {{@callee is called and not inlined}}
  linalg.exp ins(%x : memref<16x16xf32>) outs(%own : memref<16x16xf32>)
  linalg.transpose ins(%own : memref<16x16xf32>) outs(%y : memref<16x16xf32>) permutation = [1, 0]
  return
}
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %t = memref.alloc() : memref<16x16xf32>
  %u = memref.alloc() : memref<16x16xf32>
  %v = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%t : memref<16x16xf32>)
  linalg.transpose ins(%t : memref<16x16xf32>) outs(%u : memref<16x16xf32>) permutation = [1, 0]
  linalg.matmul ins(%t, %u : memref<16x16xf32>, memref<16x16xf32>) outs(%v : memref<16x16xf32>)
  // expected-note@+1 {{called here}}
  func.call @callee(%v, %y) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
