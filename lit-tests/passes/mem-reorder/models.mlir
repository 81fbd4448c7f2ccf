// A training step with small activations, which takes 105,720,384 bytes in its own order.
//
// RUN: mem-opt %S/../../../models/small/resnet50_train_32px_b2.mlir --pass-pipeline='builtin.module(mem-default-pipeline{order=auto strategy=greedy-by-size})' | FileCheck %s

// CHECK: mem.arena "arena", 167{{[0-9][0-9][0-9][0-9][0-9]}} {
