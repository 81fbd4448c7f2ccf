// The table of a program that runs tile by tile lists what tiles bought: for each operation of a group, the bytes of
// buffers that it accesses, and those that are live meanwhile, for whole tensors and in tiles. An asterisk marks the
// operation that sets the peak.
//
// RUN: mem-opt %S/../mem-tile/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=peak},mem-print-plan)' -o /dev/null 2>&1 | FileCheck %s
// RUN: mem-opt %S/../mem-tile/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE

// WHOLE-NOT: operation in tiles

// CHECK: group operation in tiles accessed whole in a tile live whole in tiles location
// CHECK-NEXT: 0 linalg.fill 3584 224 3584 3360 {{.*}}:41:3
// CHECK-NEXT: 0 linalg.conv_2d_nhwc_hwcf 3584 224 3584 3360 {{.*}}:42:3
// CHECK-NEXT: 0 linalg.generic 7168 896 3584 * 3584 {{.*}}:44:3
// CHECK-NEXT: 0 linalg.fill 2688 2688 6272 3360 {{.*}}:50:3
// CHECK-NEXT: 0 linalg.conv_2d_nhwc_hwcf 6272 3360 6272 3360 {{.*}}:51:3
// CHECK-NEXT: most bytes are live, 3584, at step 9 ('linalg.generic'), in group 0
