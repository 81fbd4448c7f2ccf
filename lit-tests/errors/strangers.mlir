// The examples in the documentation of some of MLIR's own dialects are either planned or rejected.
// (scripts/strangers.py runs all of them; docs/Trust.md has the numbers.)
//
// UNSUPPORTED: via-plugin
//
// RUN: %models/../scripts/strangers.py memref async cf | FileCheck %s
// CHECK: | memref | {{.*}} | 0 |
// CHECK: | async | {{.*}} | 0 |
// CHECK: | cf | {{.*}} | 0 |
