// Networks compute the same values tile by tile, in a tenth of the memory.
//
// RUN: mem-run --compare -O0 --pipeline-options tile=peak %p/../passes/mem-tile/convolutions.mlir | FileCheck %s
// RUN: mem-run --compare -O0 --pipeline-options tile=peak %p/../../models/bufferized/squeezenet11_b1.mlir | FileCheck %s
// RUN: mem-run --compare -O0 --pipeline-options tile=peak %p/../../models/bufferized/early_exit_cnn_if_b1.mlir | FileCheck %s
// RUN: mem-run --compare -O0 --pipeline-options tile=peak %p/../../models/small/unet_32px_b1.mlir | FileCheck %s
// CHECK: equal: {{[0-9]+}} values
