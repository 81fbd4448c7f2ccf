// Buffers in every kind of sequential control flow: allocated inside it,
// carried through it, selected by it. No allocation remains, block arguments
// keep their memref types, and every region operation still verifies.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --verify-diagnostics \
// RUN:   | FileCheck %s --implicit-check-not='memref.alloc' --implicit-check-not='memref.dealloc'

// CHECK-LABEL: func.func @for_carried
func.func @for_carried(%n: index, %v: f32, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = mem.descriptor
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  // CHECK: scf.for {{.*}} iter_args(%[[OLD:.*]] = %[[A]]) -> (memref<4xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %a) -> (memref<4xf32>) {
    // CHECK: mem.buffer
    // CHECK: %[[NEW:.*]] = mem.descriptor
    %new = memref.alloc() : memref<4xf32>
    memref.copy %old, %new : memref<4xf32> to memref<4xf32>
    // CHECK: scf.yield %[[NEW]]
    scf.yield %new : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// The operand and result types of the loop differ, and the condition forwards a view.
// CHECK-LABEL: func.func @while
func.func @while(%c: i1, %v: f32, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  // CHECK: scf.while
  %r = scf.while (%x = %a) : (memref<8xf32>) -> memref<4xf32, strided<[1], offset: 4>> {
    %s = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    scf.condition(%c) %s : memref<4xf32, strided<[1], offset: 4>>
  } do {
  ^bb0(%y: memref<4xf32, strided<[1], offset: 4>>):
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  %o = memref.cast %out : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %r, %o : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1]>>
  return
}

// CHECK-LABEL: func.func @if
func.func @if(%c: i1, %v: f32, %out: memref<4xf32>) {
  // CHECK: scf.if
  %r = scf.if %c -> (memref<4xf32>) {
    // CHECK: mem.buffer
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    scf.yield %a : memref<4xf32>
  } else {
    // CHECK: mem.buffer
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  // The buffers of both branches are planned, so their common deallocation is erased.
  memref.dealloc %r : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @index_switch
func.func @index_switch(%i: index, %v: f32, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  // CHECK: scf.index_switch
  %r = scf.index_switch %i -> memref<4xf32>
  case 1 {
    // CHECK: mem.buffer
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  default {
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @execute_region
func.func @execute_region(%c: i1, %v: f32, %out: memref<4xf32>) {
  // CHECK: scf.execute_region
  %r = scf.execute_region -> memref<4xf32> {
    // CHECK: mem.buffer
    %a = memref.alloc() : memref<4xf32>
    cf.cond_br %c, ^fill, ^end
  ^fill:
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    cf.br ^end
  ^end:
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @affine_for
func.func @affine_for(%v: f32, %out: memref<8xf32>) {
  // CHECK: mem.buffer
  %a = memref.alloc() : memref<8xf32>
  // CHECK: affine.for
  affine.for %i = 0 to 8 {
    // CHECK: mem.buffer
    %t = memref.alloca() : memref<1xf32>
    affine.store %v, %t[0] : memref<1xf32>
    %x = affine.load %t[0] : memref<1xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: func.func @alloca_scope
func.func @alloca_scope(%v: f32, %out: memref<4xf32>) {
  // CHECK: memref.alloca_scope
  memref.alloca_scope {
    // CHECK: mem.buffer
    %t = memref.alloca() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%t : memref<4xf32>)
    memref.copy %t, %out : memref<4xf32> to memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @blocks
func.func @blocks(%i: i32, %v: f32, %out: memref<4xf32>) {
  // CHECK-COUNT-2: mem.buffer
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  // CHECK: cf.switch
  cf.switch %i : i32, [
    default: ^one(%a : memref<4xf32>),
    1: ^one(%b : memref<4xf32>),
    2: ^two
  ]
^one(%x: memref<4xf32>):
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
^two:
  return
}

// An allocation that is used only in unreachable code, and values whose definitions form a cycle.
// CHECK-LABEL: func.func @unreachable
func.func @unreachable(%out: memref<4xf32>) {
  return
^never:
  %a = memref.cast %b : memref<4xf32> to memref<4xf32>
  %b = memref.cast %a : memref<4xf32> to memref<4xf32>
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  // CHECK: mem.buffer
  %c = memref.alloc() : memref<4xf32>
  memref.copy %c, %out : memref<4xf32> to memref<4xf32>
  cf.br ^never
}
