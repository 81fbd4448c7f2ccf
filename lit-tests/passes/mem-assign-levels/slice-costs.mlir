// A slice at a position that is known only at run time may be any part of a tensor, but an access
// costs no more than the slice's own bytes: 16 rows of 1 KiB from DRAM are read in
// 16 * (500 + 274) = 12,384 cycles, not the whole tensor 16 times. The sum in the SRAM takes
// 96 + 16 * 192 cycles, the additions 16, and the copy of the sum to DRAM 620.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu capacity=1024 noalias-arguments=true})' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s

// CHECK: mem-assign-levels
// CHECK: (S) {{ *}}16188 cost
func.func @main(%x: memref<16x256xf32>, %out: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<256xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<256xf32>)
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.subview %x[%i, 0] [1, 256] [1, 1] : memref<16x256xf32> to memref<256xf32, strided<[1], offset: ?>>
    linalg.add ins(%row, %sum : memref<256xf32, strided<[1], offset: ?>>, memref<256xf32>) outs(%sum : memref<256xf32>)
  }
  memref.copy %sum, %out : memref<256xf32> to memref<256xf32>
  return
}
