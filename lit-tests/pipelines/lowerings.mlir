// After mem-to-memref-pipeline, no operation of the dialect is left, and one allocation holds all
// tensors. After mem-to-llvm-pipeline, only the LLVM dialect is left.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' | FileCheck %s --check-prefix=MEMREF --implicit-check-not=mem. --implicit-check-not=memref.alloc
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline,canonicalize,cse)' | mlir-opt -o /dev/null
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' | FileCheck %s --check-prefix=LLVM --implicit-check-not=memref --implicit-check-not=unrealized
// RUN: mem-opt %models/bufferized/lstm_scan_t64_h512_b16.mlir --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' | mlir-opt -o /dev/null
//
// Both accept a module that is already planned.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | mem-opt --pass-pipeline='builtin.module(mem-to-memref-pipeline)' -o %t.two
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' -o %t.one
// RUN: cmp %t.one %t.two
//
// However transfers are lowered, the result is validated.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=npu transfers=copy})' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=LAST
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=npu transfers=dma})' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=LAST
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=npu transfers=runtime})' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=LAST
// LAST: convert-mem-to-memref
// LAST-NEXT: mem-validate

// MEMREF-LABEL: func.func @two
// MEMREF: memref.alloc() {{.*}} : memref<256xi8>
// MEMREF: memref.view
// MEMREF: linalg.exp
// MEMREF: memref.dealloc
// MEMREF: return
// LLVM-LABEL: llvm.func @two
// LLVM: llvm.call @malloc
// LLVM: llvm.call @free
// LLVM-NOT: llvm.call @malloc
func.func @two(%x: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  %b = memref.alloc() : memref<32xf32>
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  linalg.add ins(%a, %b : memref<32xf32>, memref<32xf32>) outs(%x : memref<32xf32>)
  return
}
