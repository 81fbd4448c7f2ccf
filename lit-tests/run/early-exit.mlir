// A network with an early exit. With larger numbers it is confident and exits early, after fewer than
// half as many allocations; in both cases the plan computes the same.

// RUN: mem-run %models/bufferized/early_exit_cnn_if_b1.mlir --compare | FileCheck %s --check-prefixes=CHECK,LATE
// RUN: mem-run %models/bufferized/early_exit_cnn_if_b1.mlir --compare --scale 3 | FileCheck %s --check-prefixes=CHECK,EARLY
// RUN: mem-run %models/bufferized_cf/early_exit_cnn_if_b1.mlir --compare | FileCheck %s --check-prefixes=CHECK,LATE
// RUN: mem-run %models/bufferized_cf/early_exit_cnn_if_b1.mlir --compare --scale 3 | FileCheck %s --check-prefixes=CHECK,EARLY

// LATE: original {{.*}} 35{{$}}
// EARLY: original {{.*}} 16{{$}}
// CHECK: equal: 18 values
