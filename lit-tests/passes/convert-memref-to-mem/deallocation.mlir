// The output of upstream's buffer-deallocation-pipeline: ownership flags carried through loops, one
// deallocation for all buffers that may reach a join, address comparisons, and a helper function. All
// of this is erased along with the buffers it frees. Storage in an arena is never freed on its own.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(buffer-deallocation-pipeline,convert-memref-to-mem)' \
// RUN:   | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(buffer-deallocation-pipeline,mem-to-memref-pipeline{optimize=false})' \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// CHECK-LABEL: func.func @straight
// LOWERED-LABEL: func.func @straight
func.func @straight(%v: f32, %out: memref<4xf32>) {
  // CHECK: mem.buffer
  // CHECK-NOT: memref.dealloc
  // LOWERED: memref.alloc
  // LOWERED: memref.dealloc
  // LOWERED-NOT: memref.dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @carried
// LOWERED-LABEL: func.func @carried
func.func @carried(%n: index, %v: f32, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: memref.alloc(
  // CHECK-NOT: memref.dealloc
  // LOWERED: memref.alloc
  // LOWERED: memref.dealloc
  // LOWERED-NOT: memref.dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %old, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// The initial loop-carried value belongs to the caller, and must not be freed.
// CHECK-LABEL: func.func @carried_from_the_caller
// LOWERED-LABEL: func.func @carried_from_the_caller
func.func @carried_from_the_caller(%n: index, %a: memref<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: memref.alloc(
  // CHECK-NOT: memref.dealloc
  // LOWERED: memref.alloc
  // LOWERED: memref.dealloc
  // LOWERED-NOT: memref.dealloc
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %old, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @chosen
// LOWERED-LABEL: func.func @chosen
func.func @chosen(%c: i1, %v: f32, %out: memref<4xf32>) {
  // CHECK-NOT: memref.alloc(
  // CHECK-NOT: memref.dealloc
  // LOWERED: memref.alloc
  // LOWERED: memref.dealloc
  // LOWERED-NOT: memref.dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// Either of two buffers may reach the join, so the helper compares addresses.
// CHECK-LABEL: func.func @compared
// LOWERED-LABEL: func.func @compared
func.func @compared(%c: i1, %v: f32, %out: memref<4xf32>) {
  // CHECK-NOT: memref.alloc() : memref<4xf32>
  // CHECK-NOT: memref.dealloc %{{.*}} : memref<4xf32>
  // LOWERED-NOT: memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  cf.cond_br %c, ^use(%a : memref<4xf32>), ^use(%b : memref<4xf32>)
^use(%x: memref<4xf32>):
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
}

// The callee returns its own allocation. The caller owns it, and frees it as before.
// CHECK-LABEL: func.func private @make
// LOWERED-LABEL: func.func private @make
func.func private @make(%v: f32) -> memref<4xf32> {
  // CHECK: memref.alloc()
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  return %a : memref<4xf32>
}
// CHECK-LABEL: func.func @owns_a_result
func.func @owns_a_result(%v: f32, %out: memref<4xf32>) {
  // CHECK: call @make
  %a = call @make(%v) : (f32) -> memref<4xf32>
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  // CHECK: memref.dealloc
  return
}
