// Down to LLVM IR: memory spaces are address spaces, those of the gpu dialect have the numbers of NVVM.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline{hierarchy=gpu-workgroup noalias-arguments=true})' -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | FileCheck %s --check-prefix=LLVM
//
// Spaces that are names become numbers, too, and without spaces there is one address space.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline{hierarchy=npu spaces=name noalias-arguments=true})' \
// RUN:   | FileCheck %s --check-prefix=NAME
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline{hierarchy=npu spaces=none noalias-arguments=true})' \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not='ptr<1>'

// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
// CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr
// CHECK: llvm.call @free
// LLVM: addrspacecast ptr %{{.*}} to ptr addrspace(3)
// LLVM: load float, ptr addrspace(3)
// LLVM: store float %{{.*}}, ptr addrspace(3)
// NAME: llvm.load %{{.*}} : !llvm.ptr<1> -> f32
// NONE: llvm.load %{{.*}} : !llvm.ptr -> f32

func.func @main(%x: memref<32x32xf32>, %w: memref<32x32xf32>, %y: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<32x32xf32>)
  linalg.matmul ins(%x, %w : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  linalg.exp ins(%a : memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<32x32xf32>)
  linalg.matmul ins(%a, %w : memref<32x32xf32>, memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  return
}
