// The main figures, as reported by --mlir-pass-statistics. Distributions build LLVM without
// statistics, so MLIR's own report is empty; the passes then print their statistics themselves.

// RUN: mem-opt %s --mlir-pass-statistics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' 2>&1 | FileCheck %s
// RUN: mem-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' 2>&1 | count 0

// CHECK:      convert-memref-to-mem
// CHECK-DAG:  (S) {{ *}}3 buffers - Allocations converted to buffers
// CHECK-DAG:  (S) {{ *}}192 bytes - Sum of the sizes of the converted buffers in bytes
// CHECK-DAG:  (S) {{ *}}1 deallocations - Deallocations removed
// CHECK:      mem-plan
// CHECK-DAG:  (S) {{ *}}3 buffers - Buffers placed
// CHECK-DAG:  (S) {{ *}}192 bytes-before - Sum of their sizes in bytes
// CHECK-DAG:  (S) {{ *}}128 peak - Bytes of the largest arena
// CHECK-DAG:  (S) {{ *}}128 lower-bound - Largest sum of sizes live at once, in that function
// CHECK-DAG:  (S) {{ *}}0 rotations
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %y : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
}
