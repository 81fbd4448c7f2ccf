// With a hierarchy, the order changes only where a plan takes fewer cycles; within a budget, where its
// makespan is shorter. As in moved.mlir, two large buffers are live at once, 8448 bytes, and 4608 bytes
// would do.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=npu})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=npu capacity=5120})' | FileCheck %s --check-prefix=MOVED
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=gpu budget=9000})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=gpu budget=5120})' | FileCheck %s --check-prefix=MOVED
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-reorder{hierarchy=gpu budget=5120 threshold=100})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=5120 order=auto})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FITS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=5120})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=COPIED --allow-empty
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{hierarchy=npu strategy=best})' 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{strategy=best})' 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{hierarchy=npu-3 budget=5120})' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{hierarchy=npu capacity=0})' 2>&1 | FileCheck %s --check-prefix=CAPACITY

// FITS: remark: mem-offload: everything fits in 5120 bytes
// COPIED-NOT: everything fits
// STRATEGY: error: mem-reorder: unknown value 'best' for option 'strategy'
// BUDGET: error: mem-reorder: {{.*}}device
// CAPACITY: error: mem-reorder: a capacity of 0 bytes is not positive

// KEPT: linalg.fill
// KEPT-NEXT: linalg.fill
// MOVED: linalg.fill
// MOVED-NOT: linalg.fill
// MOVED: linalg.add
// MOVED: linalg.fill
func.func @main(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  %va = memref.subview %a[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%x, %va : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%d : memref<64xf32>)
  %vb = memref.subview %b[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%x, %vb : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%e : memref<64xf32>)
  linalg.add ins(%d, %e : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}
