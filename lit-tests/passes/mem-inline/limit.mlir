// Each level of calls may multiply the size of a program. A call that exceeds the budget
// is kept, with a remark, and calls in its callee are inlined as far as the budget allows.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-inline{max-operations=12})' --verify-diagnostics | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-inline{max-operations=-1})' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-inline)' | FileCheck %s --check-prefix=ALL

// NEGATIVE: error: mem-inline: invalid value '-1' for option 'max-operations': expected a number, at least 0

// ALL-LABEL: func.func @main
// ALL-COUNT-8: linalg.exp
// ALL-NOT: linalg.exp
// ALL-NOT: call

// A `linalg` operation contains two operations, so the first call of @four adds 12.
// CHECK-LABEL: func.func private @once
// CHECK-LABEL: func.func private @twice
// CHECK-COUNT-2: call @once
// CHECK-LABEL: func.func private @four
// CHECK-COUNT-2: call @twice
// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: linalg.exp
// CHECK-NEXT: call @four
// CHECK-NEXT: return
func.func private @once(%a: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}
func.func private @twice(%a: memref<8xf32>) {
  // expected-remark @below {{the call of '@once' is not inlined: that would add 3 operations}}
  func.call @once(%a) : (memref<8xf32>) -> ()
  func.call @once(%a) : (memref<8xf32>) -> ()
  return
}
func.func private @four(%a: memref<8xf32>) {
  // expected-remark @below {{the call of '@twice' is not inlined: that would add 6 operations}}
  func.call @twice(%a) : (memref<8xf32>) -> ()
  func.call @twice(%a) : (memref<8xf32>) -> ()
  return
}
func.func @main(%a: memref<8xf32>) {
  func.call @four(%a) : (memref<8xf32>) -> ()
  // expected-remark @below {{the call of '@four' is not inlined: that would add 12 operations, and 0 of 'max-operations' are left}}
  func.call @four(%a) : (memref<8xf32>) -> ()
  return
}
