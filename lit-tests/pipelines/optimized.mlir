// mem-default-pipeline removes dead stores and copies before it plans; `optimize=false` disables this.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s --check-prefix=AS-IS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true})' | FileCheck %s --check-prefix=NOALIAS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING

// WARNING-NOT: remark
// WARNING: optimized.mlir:[[#@LINE+24]]:3: warning: reads bytes [0, 64) of 'unwritten', which nothing has written

// A value copied through two buffers, and a dead store.
// CHECK-LABEL: func.func @copies
// CHECK-NEXT: linalg.fill {{.*}} outs(%arg0
// CHECK-NEXT: return
// AS-IS-LABEL: func.func @copies
// AS-IS-COUNT-3: mem.view
// AS-IS-COUNT-2: memref.copy
func.func @copies(%out: memref<16xf32> {bufferize.result}, %v: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %dead = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  memref.store %v, %dead[%i] : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// A warning is not an error, and it is issued with and without optimization.
func.func @reads_garbage(%out: memref<16xf32>) {
  %unwritten = mem.buffer {name = "unwritten"} : !mem.buffer<64>
  %x = mem.descriptor %unwritten[0, 64] : !mem.buffer<64> -> memref<16xf32>
  memref.copy %x, %out : memref<16xf32> to memref<16xf32>
  return
}

// The store may alias the load, unless the caller asserts that it does not.
// CHECK-LABEL: func.func @arguments
// CHECK: memref.load
// NOALIAS-LABEL: func.func @arguments
// NOALIAS-NOT: memref.load
// NOALIAS: return
func.func @arguments(%x: memref<16xf32>, %y: memref<16xf32>, %v: f32, %w: f32, %i: index) -> f32 {
  memref.store %v, %x[%i] : memref<16xf32>
  memref.store %w, %y[%i] : memref<16xf32>
  %loaded = memref.load %x[%i] : memref<16xf32>
  return %loaded : f32
}
