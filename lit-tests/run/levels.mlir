// Networks planned for a hierarchy compute the same bits as before, with a fraction of the fast memory that a
// plan for one level needs. The limit is enforced: arenas have exactly their planned sizes, between guard zones.
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
// NAME: no hierarchy 'nowhere': there are microcontroller, npu
