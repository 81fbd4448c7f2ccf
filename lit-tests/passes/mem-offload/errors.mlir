// Requests that cannot be satisfied are errors, and no output is written.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload)' -o %t.out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t.out
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=npu-3})' 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu budget=0})' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu policy=hope})' 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir})' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu})' -o /dev/null
//
// NONE: error: there is no memory hierarchy: neither an option, nor a 'mem.hierarchy' of the module
// LEVELS: error: mem-offload: the hierarchy is no device and its host: its levels are local, shared, dram
// BUDGET: error: mem-offload: a budget of 0 bytes is not positive
// POLICY: error: mem-offload: unknown value 'hope' for option 'policy': expected auto, swap, recompute, checkpoints or farthest-next-use
// SIZE: error: mem-offload: the device has no capacity, and there is no budget

func.func @main(%x: memref<64xi8>) {
  mem.kernel "a" defines(%x : memref<64xi8>)
  return
}
