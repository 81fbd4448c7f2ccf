// With `compare`, functions keep their tiles only if their plan takes less time. The functions are
// compared after the passes that follow in a pipeline, one by one, unless they call each other.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=peak})' | FileCheck %s --check-prefix=ALL
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=peak hierarchy=npu capacity=16384 compare=true noalias-arguments=true})' --mlir-pass-statistics 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATISTICS < %t
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=peak hierarchy=npu capacity=16384 compare=true compare-after="no-such-pass"})' | FileCheck %s --check-prefix=NONE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{compare=true strategy=fastest})' 2>&1 | FileCheck %s --check-prefix=ERROR

// STATISTICS-DAG: 1 groups
// STATISTICS-DAG: 1 restored

// Without plans, nothing shows that tiles are worth it.
// NONE-NOT: scf.for

// ERROR: error: mem-tile: unknown value 'fastest' for option 'strategy'

// The first result is 256 KiB, and the SRAM has 16 KiB: tiles keep it out of the DRAM.
// ALL-LABEL: func.func @large
// ALL: scf.for
// CHECK-LABEL: func.func @large
// CHECK: scf.for
func.func @large(%in: memref<1x64x64x16xf32>, %out: memref<1x16x16x16xf32>) {
  %zero = arith.constant 0xFF800000 : f32
  %window = memref.alloc() : memref<2x2xf32>
  %exp = memref.alloc() : memref<1x64x64x16xf32>
  linalg.exp ins(%in : memref<1x64x64x16xf32>) outs(%exp : memref<1x64x64x16xf32>)
  %half = memref.alloc() : memref<1x32x32x16xf32>
  linalg.fill ins(%zero : f32) outs(%half : memref<1x32x32x16xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%exp, %window : memref<1x64x64x16xf32>, memref<2x2xf32>) outs(%half : memref<1x32x32x16xf32>)
  %quarter = memref.alloc() : memref<1x16x16x16xf32>
  linalg.fill ins(%zero : f32) outs(%quarter : memref<1x16x16x16xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%half, %window : memref<1x32x32x16xf32>, memref<2x2xf32>) outs(%quarter : memref<1x16x16x16xf32>)
  memref.copy %quarter, %out : memref<1x16x16x16xf32> to memref<1x16x16x16xf32>
  return
}

// Everything is in the SRAM anyway, and tiles access it more often.
// ALL-LABEL: func.func @small
// ALL: scf.for
// CHECK-LABEL: func.func @small
// CHECK-NOT: scf.for
func.func @small(%in: memref<1x16x16x4xf32>, %out: memref<1x4x4x4xf32>) {
  %zero = arith.constant 0xFF800000 : f32
  %window = memref.alloc() : memref<2x2xf32>
  %exp = memref.alloc() : memref<1x16x16x4xf32>
  linalg.exp ins(%in : memref<1x16x16x4xf32>) outs(%exp : memref<1x16x16x4xf32>)
  %half = memref.alloc() : memref<1x8x8x4xf32>
  linalg.fill ins(%zero : f32) outs(%half : memref<1x8x8x4xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%exp, %window : memref<1x16x16x4xf32>, memref<2x2xf32>) outs(%half : memref<1x8x8x4xf32>)
  %quarter = memref.alloc() : memref<1x4x4x4xf32>
  linalg.fill ins(%zero : f32) outs(%quarter : memref<1x4x4x4xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%half, %window : memref<1x8x8x4xf32>, memref<2x2xf32>) outs(%quarter : memref<1x4x4x4xf32>)
  memref.copy %quarter, %out : memref<1x4x4x4xf32> to memref<1x4x4x4xf32>
  return
}
