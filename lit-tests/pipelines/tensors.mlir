// Every pipeline takes a program on tensors and says that it bufferizes it. A pass that needs
// buffers refuses a module that has only tensors, and names the pipeline.

// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' 2>%t.remark | FileCheck %s --check-prefix=PLANNED
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remark
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' 2>&1 | FileCheck %s --check-prefixes=REMARK,MEMREF
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' 2>&1 | FileCheck %s --check-prefixes=REMARK,LLVM

// The result is the same as that of two pipelines.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t.one
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-from-linalg-pipeline,mem-default-pipeline)' -o %t.two 2>%t.silent
// RUN: cmp %t.one %t.two
// RUN: count 0 < %t.silent

// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' 2>&1 | FileCheck %s --check-prefix=ERROR -DPASS=convert-memref-to-mem
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan)' 2>&1 | FileCheck %s --check-prefix=ERROR -DPASS=mem-plan
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=npu})' 2>&1 | FileCheck %s --check-prefix=ERROR -DPASS=mem-assign-levels
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-print-plan)' 2>&1 | FileCheck %s --check-prefix=ERROR -DPASS=mem-print-plan
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-from-linalg-pipeline)' 2>&1 | FileCheck %s --check-prefix=ERROR -DPASS=mem-snapshot

// A pass that has something to do on tensors runs.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-inline)' | FileCheck %s --check-prefix=INLINED

// REMARK: remark: the program is on tensors; mem-from-linalg-pipeline bufferizes it first
// REMARK-NOT: remark

// PLANNED: func.func @main(%{{.*}}: memref<8xf32> {{.*}}, %{{.*}}: memref<8xf32> {bufferize.result
// PLANNED: mem.arena "arena", 64
// MEMREF: memref.alloc() {{.*}} : memref<64xi8>
// LLVM: llvm.func @main

// ERROR: error: [[PASS]]: the module has tensors and no buffers; run mem-from-linalg-pipeline, which bufferizes it, first

// INLINED: func.func @main
// INLINED-NOT: call

func.func private @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {
      indexing_maps = [affine_map<(d) -> (7 - d)>, affine_map<(d) -> (d)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.negf %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %a : tensor<8xf32>
}

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = call @step(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %b = call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %c = call @step(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
