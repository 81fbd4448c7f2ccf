// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{peak=most})' 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests{break=most})' 2>&1 | FileCheck %s --check-prefix=BREAK
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-overlap-requests)' 2>&1 | FileCheck %s

// PEAK: unknown value 'most' for option 'peak'
// BREAK: error: mem-overlap-requests: unknown value 'most' for option 'break': expected late-wait, early-start, order, early-wait, value

// Without messages, nothing happens.
// CHECK: func.func @none
func.func @none(%x: memref<16xf32>) {
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
