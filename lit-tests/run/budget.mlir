// Programs compute the same with less device memory than they need: tensors are copied to the host or rematerialized.
//
// REQUIRES: mem-run
// RUN: mem-run --compare --hierarchy %S/../passes/mem-offload/inputs/device.mlir --pipeline-options budget=2048 \
// RUN:     %S/../passes/mem-offload/recompute.mlir | FileCheck %s --check-prefix=AGAIN --implicit-check-not=fault
// RUN: mem-run --compare --hierarchy gpu --pipeline-options budget=2048 --poison \
// RUN:     %S/../passes/mem-offload/recompute.mlir | FileCheck %s --implicit-check-not=fault
// RUN: mem-run --compare --hierarchy %S/../passes/mem-offload/loops.mlir --budget 3072 --pipeline-options optimize=false --clock 1e6 \
// RUN:     %S/../passes/mem-offload/loops.mlir | FileCheck %s --check-prefix=LOOPS --implicit-check-not=fault
// RUN: not mem-run --compare --hierarchy gpu --pipeline-options budget=10000 -O0 %models/small/resnet50_32px_b1.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
//
// AGAIN-NOT: copies by engines
// AGAIN: equal: 2 values
// CHECK: equal: 2 values
// LOOPS: equal: 2 values
// FULL: error: no plan within a budget of 10000 bytes: the widest step needs
