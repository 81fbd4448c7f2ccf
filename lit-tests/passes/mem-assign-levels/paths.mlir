// Regression tests from randomly generated programs.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir strategy=global noalias-arguments=true},mem-verify-plan)' -o /dev/null
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir strategy=farthest-next-use noalias-arguments=true},mem-verify-plan)' -o /dev/null
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=%S/inputs/preloaded.mlir noalias-arguments=true},mem-verify-plan)' -o /dev/null

// A loop body may not execute at all: a buffer that it overwrites completely may still hold its old contents afterwards.
func.func @may_not_run(%n: index, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %r = scf.while (%i = %c0) : (index) -> index {
    %b = memref.alloc() : memref<24xf32>
    linalg.fill ins(%two : f32) outs(%b : memref<24xf32>)
    %0 = memref.load %b[%i] : memref<24xf32>
    memref.store %0, %y[%i] : memref<8xf32>
    %is_less = arith.cmpi ult, %i, %n : index
    scf.condition(%is_less) %i : index
  } do {
  ^bb0(%i: index):
    linalg.fill ins(%two : f32) outs(%a : memref<8xf32>)
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  linalg.exp ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// The element has a constant offset, so the other bytes of the buffer are dead by then.
func.func @known_place(%b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<13xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<13xf32>)
  scf.for %i = %c0 to %c2 step %c1 {
    %part = memref.subview %a[4] [7] [1] : memref<13xf32> to memref<7xf32, strided<[1], offset: 4>>
    linalg.fill ins(%one : f32) outs(%part : memref<7xf32, strided<[1], offset: 4>>)
    %0 = memref.load %a[%c10] : memref<13xf32>
    %s = memref.alloc() : memref<f32>
    memref.store %0, %s[] : memref<f32>
    %1 = memref.load %s[] : memref<f32>
    memref.store %1, %b[%c5] : memref<8xf32>
  }
  return
}
