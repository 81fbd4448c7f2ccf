// Kernels that have been outlined, planned for the levels of a GPU. A kernel keeps the types of its arguments, so
// its operands are in global memory, and are cast to the types that the kernel states. What the host computes
// may be in workgroup memory.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=gpu-workgroup noalias-arguments=true})' -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VALID --allow-empty
// RUN: FileCheck %s --input-file %t.mlir
// VALID-NOT: {{warning|remark}}

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK: gpu.func @double(%{{.*}}: memref<512xf32>, %{{.*}}: memref<512xf32>) kernel
    gpu.func @double(%x: memref<512xf32>, %y: memref<512xf32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<512xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %y[%i] : memref<512xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @main
  // CHECK: linalg.exp {{.*}} outs(%{{.*}} : memref<512xf32, #gpu.address_space<workgroup>>)
  // CHECK: %[[A:.*]] = memref.memory_space_cast %{{.*}} : memref<512xf32, #gpu.address_space<global>> to memref<512xf32>
  // CHECK: gpu.launch_func @kernels::@double {{.*}} args(%{{.*}} : memref<512xf32>, %{{.*}} : memref<512xf32>)
  func.func @main(%x: memref<512xf32>, %y: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    linalg.exp ins(%x : memref<512xf32>) outs(%a : memref<512xf32>)
    linalg.exp ins(%a : memref<512xf32>) outs(%b : memref<512xf32>)
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%b : memref<512xf32>, %c : memref<512xf32>)
    linalg.exp ins(%c : memref<512xf32>) outs(%y : memref<512xf32>)
    return
  }
}
