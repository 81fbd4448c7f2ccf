// The examples in the documentation of some of MLIR's own dialects: planned or refused, nothing else. (All of them:
// scripts/strangers.py, with the numbers in docs/Trust.md.)
//
// RUN: %models/../scripts/strangers.py memref async cf | FileCheck %s
// CHECK: | memref | {{.*}} | 0 |
// CHECK: | async | {{.*}} | 0 |
// CHECK: | cf | {{.*}} | 0 |
