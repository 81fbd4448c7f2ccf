// The complete lowering: loops, rotations, calls and views of a planned program become the LLVM
// dialect, and no conversion cast remains. Each function with an arena has one allocation.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' \
// RUN:   | FileCheck %s --implicit-check-not=unrealized_conversion_cast --implicit-check-not='mem.' \
// RUN:       --implicit-check-not=memref.
// RUN: mem-opt %s --pass-pipeline='builtin.module(buffer-deallocation-pipeline,mem-to-llvm-pipeline)' \
// RUN:   | FileCheck %s --implicit-check-not=unrealized_conversion_cast --implicit-check-not='mem.'

// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.call @malloc
// CHECK-NOT: llvm.call @malloc
// CHECK: llvm.cond_br
// CHECK: llvm.icmp "ult"
// CHECK: llvm.call @free
func.func @loop(%in: memref<8xf32>, %out: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<8xf32>
  memref.copy %in, %init : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %init) -> (memref<8xf32>) {
    %new = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%old : memref<8xf32>) outs(%new : memref<8xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.addf %x, %x : f32
      linalg.yield %y : f32
    }
    scf.yield %new : memref<8xf32>
  }
  func.call @tail(%r, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: llvm.func {{.*}}@tail
// CHECK-NOT: llvm.call @malloc
func.func private @tail(%in: memref<8xf32>, %out: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  memref.copy %in, %t : memref<8xf32> to memref<8xf32>
  %s = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %o = memref.subview %out[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %s, %o : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1]>>
  return
}
