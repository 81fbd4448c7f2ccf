// In a pipeline, buffers and their descriptors are those of the dialect: the order changes there as it
// does with allocations, and the arena is smaller. Kernels move like other operations.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{order=auto})' | FileCheck %s --check-prefix=AUTO
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | FileCheck %s --check-prefix=KEEP
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{order=auto tile=off})' | FileCheck %s --check-prefix=LOWERED

// AUTO-LABEL: @main
// AUTO: mem.arena "arena", 4608 
// KEEP-LABEL: @main
// KEEP: mem.arena "arena", 8448 
// LOWERED-LABEL: @main
// LOWERED: memref.alloc() {{.*}} : memref<4608xi8>
func.func @main(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  mem.kernel "first" uses(%x : memref<64xf32>) defines(%a : memref<1024xf32>)
  mem.kernel "second" uses(%x : memref<64xf32>) defines(%b : memref<1024xf32>)
  mem.kernel "third" uses(%a : memref<1024xf32>) defines(%d : memref<64xf32>)
  mem.kernel "fourth" uses(%b : memref<1024xf32>) defines(%e : memref<64xf32>)
  linalg.add ins(%d, %e : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}
