// Engines, which are threads that run beside the computation, copy between levels: at the speed of memory, or no
// faster than the hierarchy states. The program waits for the data that it needs, so its results are unchanged.
//
// REQUIRES: mem-run
// RUN: mem-run --compare --hierarchy npu --pipeline-options capacity=4096 %s | FileCheck %s
// RUN: mem-run --compare --hierarchy npu --pipeline-options capacity=4096 --clock 1e6 %s | FileCheck %s
// RUN: mem-run --compare --hierarchy npu-3 --poison --pipeline-options capacity=4096 %s | FileCheck %s
// RUN: not mem-run --compare --hierarchy npu --pipeline-options capacity=4096 --fail-copy 1 %s 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not mem-run --compare --hierarchy npu --clock 0 %s 2>&1 | FileCheck %s --check-prefix=CLOCK
//
// CHECK: planned: {{[1-9][0-9]*}} copies by engines, {{[1-9][0-9]*}} bytes; {{.*}} seconds waited for
// CHECK: equal:
// FAIL: error: mem-runtime: copy {{[0-9]+}} on engine {{[0-9]+}} failed
// CLOCK: error: invalid value '0' for '--clock <HZ>': not a positive number

func.func @main(%x: memref<512xf32>, %w: memref<512xf32>, %out: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<512xf32>
  linalg.add ins(%x, %w : memref<512xf32>, memref<512xf32>) outs(%a : memref<512xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.mul ins(%a, %w : memref<512xf32>, memref<512xf32>) outs(%a : memref<512xf32>)
    linalg.add ins(%a, %x : memref<512xf32>, memref<512xf32>) outs(%a : memref<512xf32>)
  }
  linalg.add ins(%a, %w : memref<512xf32>, memref<512xf32>) outs(%out : memref<512xf32>)
  return
}
