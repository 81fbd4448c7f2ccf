// One budget for the whole program, including loops. Loop-carried tensors keep their place. Tensors used only after a
// loop are on the host in the meantime. Tensors with a gap in their uses are evicted and loaded back in each iteration.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=3072 policy=swap},mem-verify-plan{original=%t.mlir})' | FileCheck %s
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=3071})' 2>&1 | FileCheck %s --check-prefix=SMALL
//
// CHECK: mem.arena "device", 3072
// CHECK: linalg.exp
// CHECK: mem.store
// CHECK: scf.for
// CHECK: linalg.add
// CHECK: mem.store
// CHECK: linalg.mul
// CHECK: mem.load
// CHECK: linalg.max
// CHECK: }
// CHECK: mem.load
// CHECK: linalg.sub
// SMALL: error: no plan within a budget of 3071 bytes: the widest step needs 3072; budget=3072 is the smallest that runs

module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device", capacity = 1000000, read = (latency = 0, bandwidth = 16.0), write = (latency = 0, bandwidth = 16.0)>,
  #mem.level<"host", read = (latency = 10, bandwidth = 1.0), write = (latency = 10, bandwidth = 1.0)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">]>} {
func.func @main(%x: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %saved = memref.alloc() : memref<16x16xf32>
  %state = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%saved : memref<16x16xf32>)
  linalg.exp ins(%saved : memref<16x16xf32>) outs(%state : memref<16x16xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<16x16xf32>
    %b = memref.alloc() : memref<16x16xf32>
    %c = memref.alloc() : memref<16x16xf32>
    %d = memref.alloc() : memref<16x16xf32>
    linalg.add ins(%state, %x : memref<16x16xf32>, memref<16x16xf32>) outs(%a : memref<16x16xf32>)
    linalg.transpose ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>) permutation = [1, 0]
    linalg.transpose ins(%b : memref<16x16xf32>) outs(%c : memref<16x16xf32>) permutation = [1, 0]
    linalg.mul ins(%b, %c : memref<16x16xf32>, memref<16x16xf32>) outs(%d : memref<16x16xf32>)
    linalg.max ins(%a, %d : memref<16x16xf32>, memref<16x16xf32>) outs(%state : memref<16x16xf32>)
  }
  linalg.sub ins(%state, %saved : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>)
  return
}
}
