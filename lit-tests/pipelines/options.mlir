// Pipeline options are passed to the passes, and invalid ones produce diagnostics.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{alignment=256})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=512 alignment=256 strategy=lifetime-queue})' | FileCheck %s
// CHECK: mem.arena "arena", 384 {alignment = 256 : i64, proven_bound = 384 : i64, strategy = "lifetime-queue"}
// CHECK: mem.view %{{.*}}[0]
// CHECK: mem.view %{{.*}}[256]
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{alignment=256})' | FileCheck %s --check-prefix=MEMREF
// MEMREF: memref.alloc() {alignment = 256 : i64} : memref<384xi8>
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{alignment=256 capacity=512 strategy=lifetime-queue},canonicalize)' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// DUMP: convert-memref-to-mem
// DUMP: mem-plan{alignment=256 arena=inside capacity=512 {{.*}}strategy=lifetime-queue}
// DUMP: canonicalize
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=200})' 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: options.mlir:[[#@LINE+19]]:{{[0-9]+}}: error: 256 bytes are needed at step 1 {{.*}}, 56 more than the capacity of 200
// SMALL: note: 'buf0' holds 128 bytes there, at offset 0
// SMALL: note: 'buf1' holds 128 bytes there, at offset 128
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline{alignment=48})' 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// ALIGNMENT: error: mem-to-llvm-pipeline: invalid value for option 'alignment': an alignment of 48 bytes is not a power of two
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{strategy=fastest})' 2>&1 | FileCheck %s --check-prefix=STRATEGY
// STRATEGY: error: mem-default-pipeline: unknown value 'fastest' for option 'strategy': expected auto, exact, first-fit
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{colour=red})' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: mem-default-pipeline: no such option 'colour': expected strategy, capacity
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=much})' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: mem-default-pipeline: invalid value for option 'capacity': 'much' is not a size: expected bytes, as in 4096, 64KiB or 1.5MiB
// RUN: not mem-opt %s --pass-pipeline='builtin.module(func.func(mem-default-pipeline))' 2>&1 | FileCheck %s --check-prefix=NEST
// NEST: {{restricted to|runs on}} 'builtin.module'

func.func @two(%x: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  %b = memref.alloc() : memref<32xf32>
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  linalg.add ins(%a, %b : memref<32xf32>, memref<32xf32>) outs(%x : memref<32xf32>)
  return
}
