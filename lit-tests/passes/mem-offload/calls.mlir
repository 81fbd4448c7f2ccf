// Calls that are not inlined: the callers' tensors stay on the device. A callee without tensors needs none of
// the budget. A callee with tensors is an error if its callers have some, even if it is public; public callees
// used to get the whole budget again. With other hierarchies, a callee's tensors are in the slowest level.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=2048},mem-verify-plan)' --split-input-file --verify-diagnostics
// RUN: mem-opt %S/inputs/calls.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu capacity=2048 spaces=none},mem-verify-plan)' \
// RUN:   | FileCheck %s
//
// Code outside of the module may call a public callee, whose types therefore stay, and with them the level of its arguments.
// RUN: mem-opt %S/inputs/calls.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu capacity=2048},mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=TYPED
// TYPED: func.func @callee(%{{.*}}: memref<16x16xf32>
// TYPED: func.func @main
// TYPED: mem.arena "sram", 1024 {{.*}} : !mem.arena<1>
// TYPED: call @callee({{.*}}) : (memref<16x16xf32>, memref<16x16xf32>) -> ()
// TYPED: linalg.add {{.*}}memref<16x16xf32, 1>
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

// The caller has nothing on the device, so the callee gets the whole budget.
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

// The caller does not fit in the budget either, but no larger budget would help: the error is the callee's.
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
