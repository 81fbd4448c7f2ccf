// Real networks, and smaller copies of networks that are too slow to run here, compute the same bits
// when planned: inference, control flow, training.

// RUN: mem-run %models/bufferized/squeezenet11_b1.mlir --compare -O0 | FileCheck %s
// RUN: mem-run %models/bufferized/mobilenet_v1_b1.mlir --compare -O0 | FileCheck %s
// RUN: mem-run %models/bufferized/gpt2_small_decode_c512_b1.mlir --compare -O0 | FileCheck %s
// RUN: mem-run %models/bufferized/lstm_train_scan_t32_h256_b16.mlir --compare -O0 | FileCheck %s
// RUN: mem-run %models/bufferized_cf/lstm_train_scan_t32_h256_b16.mlir --compare -O0 | FileCheck %s
// RUN: mem-run %models/small/resnet50_32px_b1.mlir --compare -O0 | FileCheck %s
// RUN: mem-run %models/small/unet_32px_b1.mlir --compare -O0 | FileCheck %s

// CHECK-NOT: fault
// CHECK: equal: {{[0-9]+}} values
