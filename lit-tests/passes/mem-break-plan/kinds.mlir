// Every kind of break is detected, on programs that cover all kinds: a network, calls, a loop with a rotation,
// sizes known only at run time, globals, and exchanges with other ranks. (scripts/sabotage.py without arguments runs all models.)
//
// RUN: %models/../scripts/sabotage.py %models/bufferized/squeezenet11_b1.mlir %models/bufferized/gpt2_small_calls_s256_b1.mlir \
// RUN:   %models/bufferized/lstm_scan_t64_h512_b16.mlir %models/bufferized/resnet50_logits_bdyn.mlir \
// RUN:   %S/Inputs/globals.mlir %S/Inputs/exchanges.mlir %S/Inputs/exchanges-carried.mlir %S/Inputs/exchanges-selected.mlir | FileCheck %s
// CHECK: breaks of 47 kinds, all caught

// If there is nothing to break, the program is unchanged.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-break-plan{kind=equal-slots})' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: remark: mem-break-plan: there is nothing to break: equal-slots
// NOTHING: func.func @nothing
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-break-plan{kind=nothing})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: mem-break-plan: no kind 'nothing'; there are onto-another, first-byte,
func.func @nothing() {
  return
}
