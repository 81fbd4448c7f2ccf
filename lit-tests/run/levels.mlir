// Networks planned for hierarchies do what they did before, bit for bit, with a fraction of the fast memory that they need
// in one level, of which there really is no more: arenas have their sizes, between guard zones.
//
// REQUIRES: mem-run
// RUN: mem-run --compare --hierarchy npu --optimize 1 %models/bufferized/squeezenet11_b1.mlir | FileCheck %s
// RUN: mem-run --compare --hierarchy npu-3 --optimize 1 %models/bufferized/squeezenet11_b1.mlir | FileCheck %s
// RUN: mem-run --compare --hierarchy npu --pipeline-options capacity=40000 --optimize 1 \
// RUN:     %models/bufferized/lstm_train_scan_t32_h256_b16.mlir | FileCheck %s
// RUN: mem-run --compare --hierarchy microcontroller --optimize 1 %models/bufferized_cf/early_exit_cnn_if_b1.mlir | FileCheck %s
// RUN: not mem-run --compare --hierarchy nowhere %models/bufferized/squeezenet11_b1.mlir 2>&1 | FileCheck %s --check-prefix=NAME
//
// CHECK: planned {{.*}} {{[0-9]+}}
// CHECK: equal: {{[1-9][0-9]*}} values
//
// NAME: error: no hierarchy 'nowhere'
