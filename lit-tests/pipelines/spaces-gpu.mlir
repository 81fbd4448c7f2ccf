// A convolution network, planned for the shared memory of a GPU. The kernels that upstream's passes make of it take and access
// workgroup memory, and copies connect it with global memory.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=gpu-workgroup noalias-arguments=true})' -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops,convert-parallel-loops-to-gpu),lower-affine,gpu-kernel-outlining)' \
// RUN:   | FileCheck %s --check-prefix=GPU

// CHECK-LABEL: func.func @main(
// CHECK: memref.alloc() {{.*}} : memref<{{.*}}xi8, #gpu.address_space<workgroup>>
// CHECK: memref.alloc() {{.*}} : memref<{{.*}}xi8, #gpu.address_space<global>>
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} outs(%{{.*}} : memref<1x32x32x16xf32, #gpu.address_space<workgroup>>)
// CHECK: memref.copy {{.*}} : memref<65536xi8, #gpu.address_space<workgroup>> to memref<65536xi8, #gpu.address_space<global>>
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins({{.*}} : memref<1x32x32x16xf32, #gpu.address_space<global>>, memref<3x3x16x16xf32>)
// CHECK-SAME: outs(%{{.*}} : memref<1x30x30x16xf32, #gpu.address_space<workgroup>>)

// GPU: gpu.launch_func  @{{.*}} : memref<1x32x32x16xf32, #gpu.address_space<workgroup>>
// GPU: gpu.func @{{.*}}: memref<1x32x32x16xf32, #gpu.address_space<workgroup>>
// GPU: gpu.func @{{.*}}: memref<1x32x32x16xf32, #gpu.address_space<global>>
// GPU: memref.load {{.*}} : memref<1x32x32x16xf32, #gpu.address_space<global>>
// GPU: memref.load {{.*}} : memref<1x30x30x16xf32, #gpu.address_space<workgroup>>
// GPU: memref.store {{.*}} : memref<1x30x30x16xf32, #gpu.address_space<workgroup>>

func.func @main(%x: memref<1x34x34x16xf32>, %w0: memref<3x3x16x16xf32>, %w1: memref<3x3x16x16xf32>, %y: memref<1x30x30x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x32x32x16xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x32x32x16xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w0 : memref<1x34x34x16xf32>, memref<3x3x16x16xf32>) outs(%a : memref<1x32x32x16xf32>)
  linalg.exp ins(%a : memref<1x32x32x16xf32>) outs(%a : memref<1x32x32x16xf32>)
  %b = memref.alloc() : memref<1x30x30x16xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x30x30x16xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %w1 : memref<1x32x32x16xf32>, memref<3x3x16x16xf32>) outs(%b : memref<1x30x30x16xf32>)
  linalg.exp ins(%b : memref<1x30x30x16xf32>) outs(%y : memref<1x30x30x16xf32>)
  return
}
