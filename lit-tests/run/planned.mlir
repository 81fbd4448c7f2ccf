// A file that is already planned runs, and computes the same as the file from which it was planned.

// RUN: mem-opt %S/equal.mlir --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t.planned.mlir
// RUN: mem-opt %S/equal.mlir --pass-pipeline='builtin.module(mem-to-memref-pipeline)' -o %t.memref.mlir
// RUN: mem-run %S/equal.mlir | grep -E '^(argument|result)' > %t.original.txt
// RUN: mem-run %t.planned.mlir | grep -E '^(argument|result)' | diff - %t.original.txt
// RUN: mem-run %t.memref.mlir | grep -E '^(argument|result)' | diff - %t.original.txt
// RUN: mem-run %t.planned.mlir | FileCheck %s

// CHECK: original {{ *[0-9. ]+ }}128{{ *}}1
