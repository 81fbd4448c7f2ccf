// Options with values that do not exist, or that are out of range; nothing to break.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{threshold=101})' 2>&1 | FileCheck %s --check-prefix=MUCH
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{threshold=-1})' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{order=best})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{order=best})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=memory})' 2>&1 | FileCheck %s --check-prefix=NOTHING

// MUCH: error: mem-reorder: invalid value '101' for option 'threshold': expected a number from 0 to 100
// NEGATIVE: error: mem-reorder: invalid value '-1' for option 'threshold': expected a number from 0 to 100
// ORDER: error: mem-{{reorder|default-pipeline}}: unknown value 'best' for option 'order': expected auto or keep
// NOTHING: remark: mem-reorder: there is nothing to break: memory

func.func @main() {
  return
}
