// Programs that run tile by tile within a budget compute the same: with a sum that tiles add to and a store after
// them, with a tensor that is computed again, and with a result in the place of an operand.
//
// RUN: mem-run --compare --poison -O0 --hierarchy gpu --pipeline-options 'budget=5000 tile=fit' \
// RUN:   %p/../passes/mem-tile/training.mlir | FileCheck %s
// RUN: sed '/have changed/,$d' %p/../passes/mem-narrow/again.mlir > %t-again.mlir
// RUN: mem-run --compare --poison -O0 --hierarchy gpu --pipeline-options 'budget=3000 tile=fit extra-work=100' \
// RUN:   %t-again.mlir | FileCheck %s
// RUN: sed '/is used afterwards/,$d;/@tick/d' %p/../passes/mem-narrow/in-place.mlir > %t-in-place.mlir
// RUN: mem-run --compare --poison -O0 --hierarchy gpu --pipeline-options 'budget=6000 tile=fit' \
// RUN:   %t-in-place.mlir | FileCheck %s
// CHECK: equal: {{[0-9]+}} values
