// A program takes longer with less device memory. The curve is text or a picture, and the module is unchanged.
//
// RUN: mem-opt %S/../mem-offload/recompute.mlir --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-print-tradeoff{hierarchy=%S/../mem-offload/inputs/device.mlir points=2})' -o %t.same 2>&1 | FileCheck %s
// RUN: diff %t.mlir %t.same
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-print-tradeoff{hierarchy=%S/../mem-offload/inputs/device.mlir points=3 output=%t.svg})' -o /dev/null
// RUN: FileCheck %s --check-prefix=SVG < %t.svg
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-print-tradeoff{hierarchy=%S/../mem-offload/inputs/device.mlir points=1})' 2>&1 | FileCheck %s --check-prefix=POINTS
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-print-tradeoff{hierarchy=npu-3})' 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-print-tradeoff{hierarchy=gpu function=none})' 2>&1 | FileCheck %s --check-prefix=NAME
//
// CHECK: @main: 3.0 KiB without a limit, in 256 cycles; its widest step needs 2.0 KiB
// CHECK-NEXT: budget of peak cycles of ideal at least copied repeated
// CHECK-NEXT: 2048 66.7% 400 1.562 1.531 0 2
// CHECK-NEXT: 3072 100.0% 256 1.000 1.000 0 0
// SVG: <svg
// SVG: widest step, 2.0 KiB
// SVG: <polyline points="
// SVG: <polyline points="
// SVG: no plan is below
// SVG: </svg>
// POINTS: error: mem-print-tradeoff: invalid value '1' for option 'points': expected a number, at least 2
// LEVELS: error: mem-print-tradeoff: the hierarchy is no device and its host
// NAME: error: mem-print-tradeoff: there is no function @none
