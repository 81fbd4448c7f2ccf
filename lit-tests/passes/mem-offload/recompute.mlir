// If the link is slow, cheap results are rematerialized: here a fill and the product
// that is accumulated onto it. Results that must not be recomputed are copied.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048},mem-verify-plan{original=%t.mlir})' \
// RUN:   | FileCheck %s
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048 policy=swap},mem-verify-plan{original=%t.mlir})' \
// RUN:   | FileCheck %s --check-prefix=SWAP --implicit-check-not=mem.recompute
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=3072},mem-verify-plan{original=%t.mlir})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FITS --implicit-check-not=mem.recompute --implicit-check-not=mem.load
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/device.mlir budget=2047})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: not ls %t.out
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048})' --mlir-pass-statistics -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAST

// CHECK-LABEL: func.func @main
// CHECK: mem.arena "device", 2048
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: linalg.exp
// CHECK: linalg.transpose
// CHECK: linalg.fill {{.*}}mem.recompute
// CHECK: linalg.matmul {{.*}}mem.recompute
// CHECK: linalg.mul
// CHECK-NOT: mem.load

// SWAP: mem.arena "device", 2048
// SWAP: mem.arena "host", 1024
// SWAP: linalg.mul

// 392 cycles is a lower bound on the makespan of all plans.
// LEAST-DAG: (S) {{ *}}400 makespan
// LEAST-DAG: (S) {{ *}}256 ideal
// LEAST-DAG: (S) {{ *}}392 least

// FITS: remark: mem-offload: everything fits in 3072 bytes: nothing is copied or recomputed
// FITS: linalg.mul

// FULL: error: no plan within a budget of 2047 bytes: the widest step needs 2048; budget=2048 is the smallest that runs
// FULL: note: 1 byte is missing; arguments, results and constants have 2048 beside the budget

func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  %c = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<16x16xf32>)
  linalg.matmul ins(%x, %x : memref<16x16xf32>, memref<16x16xf32>) outs(%a : memref<16x16xf32>)
  linalg.exp ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>)
  linalg.transpose ins(%b : memref<16x16xf32>) outs(%c : memref<16x16xf32>) permutation = [1, 0]
  linalg.mul ins(%c, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
  return
}
