// With `tile=fit`, an error names the least memory that has been found to be enough with tiles, not that of whole
// tensors, and the program runs with it.
//
// A capacity: whole tensors take 6272 bytes.
// RUN: not mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit capacity=1000})' -o %t.out 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit capacity=3583})' -o %t.out 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not ls %t.out
// RUN: mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit capacity=3584})' | FileCheck %s --check-prefix=TILES
// RUN: not mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{capacity=1000})' 2>&1 | FileCheck %s --check-prefix=WHOLE
//
// A budget.
// RUN: not mem-opt %S/training.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit hierarchy=gpu budget=700})' -o %t.out 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not ls %t.out
// RUN: mem-opt %S/training.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit hierarchy=gpu budget=772})' | FileCheck %s --check-prefix=TILES
//
// A hierarchy in which no level has room.
// RUN: not mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%S/inputs/full.mlir})' -o %t.out 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit hierarchy=%S/inputs/full.mlir})' | FileCheck %s --check-prefix=TILES
// RUN: not mem-opt %S/convolutions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit hierarchy=%S/inputs/fuller.mlir})' -o %t.out 2>&1 | FileCheck %s --check-prefix=FULLER
// RUN: not ls %t.out

// CAPACITY: error: 3584 bytes are needed at step {{.*}}; in tiles, capacity=3584 is the smallest found that runs
// WHOLE: error: 6272 bytes are needed at step {{[0-9]+}} ('{{[a-z.]*}}'), 5272 more than the capacity of 1000{{$}}
// TILES: scf.for
// BUDGET: error: no plan within a budget of 700 bytes: the widest step needs 772; in tiles, budget=772 is the smallest found that runs
// FULL: error: 'buf2' of 2.6 KiB does not fit into 'dram' here: 2.6 KiB are missing
// FULLER: error: 'buf0' of 2.6 KiB does not fit into 'dram' here: 2.6 KiB are missing
