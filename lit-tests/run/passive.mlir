// Passive mode swaps on demand and records each access to a tensor. Programs planned from the record
// give the same results. If a run cannot continue, an error says so, and no file is written.
//
// REQUIRES: mem-run
// RUN: mem-run %s --hierarchy gpu --trace %t.json --timeline %t.trace --budget 16384 --iterations 3 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TABLE < %t.json
// RUN: FileCheck %s --check-prefix=TIMELINE < %t.trace
//
// A recorded table can be read back, and later plans use its times.
// RUN: mem-run %s --hierarchy gpu --accesses %t.json --trace %t.more.json --budget 16384 --iterations 2 | FileCheck %s --check-prefix=AGAIN
// RUN: mem-opt %s --pass-pipeline='builtin.module(inline,convert-memref-to-mem,mem-offload{hierarchy=gpu budget=16384 accesses=%t.json noalias-arguments=true},mem-verify-plan)' -o /dev/null
//
// Without a budget, nothing is copied.
// RUN: mem-run %s --hierarchy gpu --trace %t.all.json | FileCheck %s --check-prefix=ALL
//
// RUN: rm -f %t.none.json
// RUN: not mem-run %s --hierarchy gpu --trace %t.none.json --budget 12287 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not mem-run %s --hierarchy gpu --trace %t.none.json --budget 16384 --host-pool 4095 2>&1 | FileCheck %s --check-prefix=POOL
// RUN: not mem-run %s --hierarchy gpu --trace %t.none.json --budget 16384 --fail-copy 2 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not mem-run %s --hierarchy gpu --trace %t.none.json --accesses %s --iterations 1 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: sed 's/"bytes":4096/"bytes":4095/' %t.json > %t.wrong.json
// RUN: not mem-run %s --hierarchy gpu --trace %t.none.json --accesses %t.wrong.json --iterations 1 --budget 16384 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not mem-run %s --hierarchy npu-3 --trace %t.none.json 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not ls %t.none.json
//
// CHECK: passive: {{.*}} seconds, {{[1-9][0-9]*}} copies, {{.*}}; equal
// CHECK-NEXT: iteration 1: {{.*}}; equal
// CHECK-NEXT: iteration 2: {{.*}}; equal
// CHECK-NEXT: iteration 3: {{.*}}; equal
// TABLE: "version": 1, "function": "main", "clock": 1000000000.0, "budget": 16384,
// TABLE: "tensor":"buf0","step":0,"bytes":4096,"access":"write"
// TABLE: "copies": [
// TABLE-NEXT: "direction":"out"
// TIMELINE: "traceEvents":[
// AGAIN-NOT: passive
// AGAIN: iteration 1: {{.*}}; equal
// AGAIN-NEXT: iteration 2: {{.*}}; equal
// ALL: passive: {{.*}} seconds, 0 copies, 0 bytes, {{.*}}; equal
// SMALL: error: mem-runtime: step {{[0-9]+}}: the tensors of one step take 12288, and the device has 12287
// POOL: error: mem-runtime: step {{[0-9]+}}: the host pool is full: a tensor of 4096 has to leave
// FAIL: error: mem-runtime: step {{[0-9]+}}: copy 1 on engine {{[01]}} failed
// SYNTAX: passive.mlir: not an access table
// WRONG: the table does not match @main: 'buf0' has 4095 bytes in row 1, and 4096 in the program
// LEVELS: error: the hierarchy is no device and its host: its levels are local, shared, dram

func.func @main(%x: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x32xf32>
  %b = memref.alloc() : memref<32x32xf32>
  %c = memref.alloc() : memref<32x32xf32>
  %d = memref.alloc() : memref<32x32xf32>
  %e = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<32x32xf32>)
  linalg.matmul ins(%x, %x : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%b : memref<32x32xf32>)
  linalg.matmul ins(%a, %x : memref<32x32xf32>, memref<32x32xf32>) outs(%b : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%b, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%d : memref<32x32xf32>)
  linalg.matmul ins(%c, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%d : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%e : memref<32x32xf32>)
  linalg.matmul ins(%d, %c : memref<32x32xf32>, memref<32x32xf32>) outs(%e : memref<32x32xf32>)
  linalg.matmul ins(%e, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  linalg.matmul ins(%d, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}
