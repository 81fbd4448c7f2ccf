// If there is nothing to break, the program is unchanged.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-break-plan{kind=equal-slots})' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: remark: mem-break-plan: there is nothing to break: equal-slots
// NOTHING: func.func @nothing
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-break-plan{kind=nothing})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: mem-break-plan: no kind 'nothing'; there are onto-another, first-byte,
func.func @nothing() {
  return
}
