// Errors and remarks about options point at the option or the pass in the text of the pipeline, in passes and in
// pipelines, not at the module; in mlir-opt with the plugin as well. With --verify-diagnostics they are at the module,
// where a comment can expect them. Diagnostics about the whole module are at the first line of its file.
//
// UNSUPPORTED: via-plugin
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=budget})' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: --pass-pipeline:1:25: error: mem-tile: target=budget requires option 'budget'
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan{output=/no/folder/a})' 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: --pass-pipeline:1:52: error: mem-print-plan: cannot write '/no/folder/a'
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{report=/no/folder/a.svg})' 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: --pass-pipeline:1:37: error: mem-print-plan: cannot write '/no/folder/a.svg'
// RUN: not mem-opt %s --pass-pipeline='builtin.module(canonicalize,mem-offload)' 2>&1 | FileCheck %s --check-prefix=HIERARCHY
// HIERARCHY: --pass-pipeline:1:29: error: there is no memory hierarchy: {{.*}}expected option 'hierarchy': microcontroller, npu, gpu
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu budget=0})' 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: --pass-pipeline:1:42: error: mem-offload: a budget of 0 bytes is not positive
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu budget=1.1KiB})' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=FITS
// FITS: --pass-pipeline:1:42: remark: mem-offload: everything fits in 1126 bytes
// RUN: not mem-opt %s '--mem-assign-levels=hierarchy=npu report=/no/folder/a.svg' 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: <command line>:1:35: error: cannot write /no/folder/a.svg
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate)' 2>&1 | FileCheck %s --check-prefix=ORIGINAL
// ORIGINAL: --pass-pipeline:1:16: error: mem-validate: no program to compare with
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=nothing})' 2>&1 | FileCheck %s --check-prefix=BREAK
// BREAK: --pass-pipeline:1:28: error: mem-reorder: unknown value 'nothing'
//
// Before anything runs.
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity})' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: --pass-pipeline:1:25: error: mem-plan: option 'capacity' has no value: expected one, as in capacity=1MiB
// RUN: not mem-opt %s --pass-pipeline='builtin.module(func.func(mem-plan))' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// ANCHOR: --pass-pipeline:1:26: error: 'mem-plan' runs on 'builtin.module', not on 'func.func'
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=npu explain=-2})' 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: --pass-pipeline:1:56: error: mem-assign-levels: invalid value '-2' for option 'explain': expected a number, at least 0
//
// The plugin.
// RUN: not %mlir-opt-plugin %s --pass-pipeline='builtin.module(mem-tile{target=budget})' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %mlir-opt-plugin %s -p 'builtin.module(mem-default-pipeline,mem-print-plan{output=/no/folder/a})' 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not %mlir-opt-plugin %s --pass-pipeline='builtin.module(mem-default-pipeline{report=/no/folder/a.svg})' 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not %mlir-opt-plugin %s --pass-pipeline='builtin.module(mem-reorder{break=nothing})' 2>&1 | FileCheck %s --check-prefix=BREAK
//
// Diagnostics are compared with comments.
// RUN: printf "// expected-error@+1 {{mem-tile: target=budget requires}}\nmodule {}\n" >%t.mlir
// RUN: mem-opt %t.mlir --verify-diagnostics --pass-pipeline='builtin.module(mem-tile{target=budget})'
// RUN: mem-opt %t.mlir --verify-diagnostics --mem-tile=target=budget
// RUN: %mlir-opt-plugin %t.mlir --verify-diagnostics --pass-pipeline='builtin.module(mem-tile{target=budget})'
//
// The whole module.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: option-places.mlir:1:1: remark: nothing to plan
// RUN: mem-opt /dev/null --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: 1:1: remark: nothing to plan

func.func @f(%in: memref<512xf32>, %out: memref<512xf32>) {
  linalg.negf ins(%in : memref<512xf32>) outs(%out : memref<512xf32>)
  return
}
