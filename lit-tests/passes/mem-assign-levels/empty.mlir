// Tensors without elements: written, read and kept across steps. They take no bytes and are never
// copied, and a step that writes all of one leaves nothing to compare.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=256})' | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=255})' -o %t 2>&1 | FileCheck %s --check-prefix=LESS

// LESS: error: {{.*}}255

// CHECK-LABEL: func.func @f
// CHECK-NOT: mem.{{load|store|swap}} {{.*}}!mem.buffer<0>
// CHECK: linalg.fill {{.*}} memref<8x0xf32{{.*}}>
// CHECK: linalg.matmul {{.*}} memref<8x0xf32{{.*}}>, memref<0x8xf32{{.*}}>
// CHECK: linalg.matmul {{.*}} memref<8x0xf32{{.*}}>, memref<0x8xf32{{.*}}>
// CHECK: return
func.func @f(%y: memref<8x8xf32>, %v: f32) {
  %a = memref.alloc() : memref<8x0xf32>
  %b = memref.alloc() : memref<0x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8x0xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<0x8xf32>)
  linalg.fill ins(%v : f32) outs(%c : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x0xf32>, memref<0x8xf32>) outs(%c : memref<8x8xf32>)
  linalg.exp ins(%c : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x0xf32>, memref<0x8xf32>) outs(%y : memref<8x8xf32>)
  return
}
