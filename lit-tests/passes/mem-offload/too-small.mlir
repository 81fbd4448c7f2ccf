// If the budget is too small, the error names the smallest budget that runs: the bytes of the widest step, with in-place
// results counted once. Notes list the buffers of that step. The suggested budget runs, and one byte less does not.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/device.mlir budget=1000})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MAP
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/device.mlir budget=3071})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LESS
// RUN: not ls %t.out
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/device.mlir budget=3072},mem-verify-plan)' \
// RUN:   | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-print-tradeoff{hierarchy=%S/inputs/device.mlir points=2})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TRADEOFF
//
// Pinned tensors cannot be evicted, so more is needed.
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/device.mlir budget=3072 stay=buf0})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STAY
//
// No budget is enough if the device itself is too small: 'device' has 4000 bytes.
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/small-device.mlir budget=2000})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEVICE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=%S/inputs/small-device.mlir})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WHOLE
//
// MAP: too-small.mlir:[[#@LINE+26]]:3: error: no plan within a budget of 1000 bytes: the widest step needs 3072; budget=3072 is the smallest that runs
// MAP: too-small.mlir:[[#@LINE+17]]:8: note: 'buf1' holds 1024 bytes
// MAP: too-small.mlir:[[#@LINE+17]]:8: note: 'buf2' holds 1024 bytes
// MAP: too-small.mlir:[[#@LINE+17]]:8: note: 'buf3' holds 1024 bytes
// MAP: too-small.mlir:[[#@LINE+17]]:8: note: 'buf4' holds 1024 bytes, 1024 of them in place of 'buf1'
// MAP: note: 2072 bytes are missing; arguments, results and constants have 2048 beside the budget
// LESS: error: no plan within a budget of 3071 bytes: the widest step needs 3072; budget=3072 is the smallest that runs
// LESS: note: 1 byte is missing
// CHECK: mem.arena "device", 3072
// TRADEOFF: its widest step needs 3.0 KiB
// TRADEOFF: {{^ *}}3072 {{.*}}%
// STAY: error: no plan within a budget of 3072 bytes: the widest step needs 4096; budget=4096 is the smallest that runs
// STAY: note: 'buf0' holds 1024 bytes
// DEVICE: error: no plan within a budget of 2000 bytes: the widest step needs 3072; 'device' has 4000, of which arguments, results and constants have 2048: no budget is enough
// WHOLE: error: no plan within the 1952 bytes of 'device': the widest step needs 3072;

func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  %c = memref.alloc() : memref<16x16xf32>
  %d = memref.alloc() : memref<16x16xf32>
  %e = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%a : memref<16x16xf32>)
  linalg.transpose ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) permutation = [1, 0]
  linalg.transpose ins(%b : memref<16x16xf32>) outs(%c : memref<16x16xf32>) permutation = [1, 0]
  linalg.transpose ins(%c : memref<16x16xf32>) outs(%d : memref<16x16xf32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b, %c, %d : memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) outs(%e : memref<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %s: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.addf %0, %r : f32
    linalg.yield %1 : f32
  }
  linalg.add ins(%e, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
  return
}
