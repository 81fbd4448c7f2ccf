// Tensors whose places in an arena are not apart for all sizes. Their namesakes in inputs/places.mlir
// compute something else for some of them.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/places.mlir})' -o %t 2>&1 | FileCheck %s

// %c begins at the multiple of 64 before the end of %b.
// CHECK: warning: mem-validate: @after_each_other is not validated: another tensor's place in the arena is not known to be apart
func.func @after_each_other(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %mask = arith.constant -64 : index
  %positive = arith.maxsi %n, %0 : index
  %end_of_a = arith.muli %positive, %4 : index
  %end_of_b = arith.addi %end_of_a, %end_of_a : index
  %start_of_c = arith.andi %end_of_b, %mask : index
  %64 = arith.constant 64 : index
  %size = arith.addi %end_of_b, %64 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%0][%n] : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%end_of_a][%n] : memref<?xi8> to memref<?xf32>
  %c = memref.view %arena[%start_of_c][] : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.exp ins(%z : memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.mul ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  linalg.log ins(%c : memref<16xf32>) outs(%z : memref<16xf32>)
  return
}

// %c begins at byte 64, and %a may end after it.
// CHECK: warning: mem-validate: @after_the_larger is not validated: an operand may be the storage of a result
func.func @after_the_larger(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %64 = arith.constant 64 : index
  %bytes = arith.muli %n, %4 : index
  %size = arith.addi %bytes, %64 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %b = memref.view %arena[%0][] : memref<?xi8> to memref<16xf32>
  %a = memref.view %arena[%0][%n] : memref<?xi8> to memref<?xf32>
  %c = memref.view %arena[%64][%n] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%z : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.log ins(%b : memref<16xf32>) outs(%z : memref<16xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.mul ins(%a, %c : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// %a begins after as many bytes as %b has elements.
// CHECK: warning: mem-validate: @matrices is not validated: an operand may be the storage of a result
func.func @matrices(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %8 = arith.constant 8 : index
  %n = memref.dim %x, %0 : memref<?x?xf32>
  %m = memref.dim %x, %1 : memref<?x?xf32>
  %elements = arith.muli %m, %n : index
  %size = arith.muli %elements, %8 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%elements][%n, %m] : memref<?xi8> to memref<?x?xf32>
  %b = memref.view %arena[%0][%n, %m] : memref<?xi8> to memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.log ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  linalg.mul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

// %b is the first element of %a from the second iteration on.
// CHECK: warning: mem-validate: @in_a_loop is not validated: another tensor's place in the arena is not known to be apart
func.func @in_a_loop(%x: memref<?xf32>, %y: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %16 = arith.constant 16 : index
  %bytes = arith.muli %n, %4 : index
  %size = arith.addi %bytes, %4 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%4][%n] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  scf.for %i = %0 to %16 step %1 {
    %b = memref.view %arena[%4][] : memref<?xi8> to memref<1xf32>
    %v = memref.load %y[%i] : memref<16xf32>
    memref.store %v, %b[%0] : memref<1xf32>
    linalg.log ins(%a : memref<?xf32>) outs(%a : memref<?xf32>)
    %w = memref.load %b[%0] : memref<1xf32>
    %s = arith.addf %w, %w : f32
    memref.store %s, %y[%i] : memref<16xf32>
  }
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// The place moves, so the element that is read is not the one of the iteration before.
// CHECK: warning: mem-validate: @carried is not validated: its place in an arena is known only at run time
func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %16 = arith.constant 16 : index
  %64 = arith.constant 64 : index
  %arena = memref.alloc(%64) : memref<?xi8>
  %first = memref.view %arena[%0][] : memref<?xi8> to memref<1xf32>
  %u = memref.load %y[%0] : memref<16xf32>
  memref.store %u, %first[%0] : memref<1xf32>
  scf.for %i = %0 to %16 step %1 {
    %at = arith.muli %i, %4 : index
    %a = memref.view %arena[%at][] : memref<?xi8> to memref<1xf32>
    %v = memref.load %a[%0] : memref<1xf32>
    memref.store %v, %y[%i] : memref<16xf32>
    %w = memref.load %x[%i] : memref<16xf32>
    memref.store %w, %a[%0] : memref<1xf32>
  }
  return
}

// Each iteration has an arena of its own, so nothing is left of the one before.
// CHECK: warning: mem-validate: @allocated_before is not validated: which of several values is read here
func.func @allocated_before(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %16 = arith.constant 16 : index
  %size = arith.maxsi %n, %16 : index
  %start = arith.subi %size, %1 : index
  scf.for %i = %0 to %16 step %1 {
    %own = memref.alloc(%size) : memref<?xi8>
    %b = memref.view %own[%start][] : memref<?xi8> to memref<1xf32>
    %v = memref.load %b[%0] : memref<1xf32>
    memref.store %v, %y[%i] : memref<16xf32>
    %w = memref.load %x[%i] : memref<16xf32>
    memref.store %w, %b[%0] : memref<1xf32>
  }
  return
}

// If %n is -1, %a has one element, and %b begins at byte 0.
// CHECK: warning: mem-validate: @two_more is not validated: another tensor's place in the arena is not known to be apart
func.func @two_more(%x: memref<?xf32>, %y: memref<1xf32>, %n: index, %m: index) {
  %2 = arith.constant 2 : index
  %size = arith.addi %n, %2 : index
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %8 = arith.constant 8 : index
  %bytes = arith.muli %n, %8 : index
  %start = arith.addi %bytes, %8 : index
  %end = arith.addi %start, %4 : index
  %arena = memref.alloc(%end) : memref<?xi8>
  %a = memref.view %arena[%0][%size] : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%start][] : memref<?xi8> to memref<1xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%y : memref<1xf32>) outs(%b : memref<1xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.log ins(%b : memref<1xf32>) outs(%y : memref<1xf32>)
  return
}

// If %n is negative, %b begins before the end of %a.
// CHECK: warning: mem-validate: @sum is not validated: another tensor's place in the arena is not known to be apart
func.func @sum(%x: memref<?xf32>, %y: memref<1xf32>, %n: index, %m: index) {
  %size = arith.addi %n, %m : index
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %more = arith.addi %size, %n : index
  %start = arith.muli %more, %4 : index
  %end = arith.addi %start, %4 : index
  %arena = memref.alloc(%end) : memref<?xi8>
  %a = memref.view %arena[%0][%size] : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%start][] : memref<?xi8> to memref<1xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%y : memref<1xf32>) outs(%b : memref<1xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.log ins(%b : memref<1xf32>) outs(%y : memref<1xf32>)
  return
}

// %b begins three bytes too early if %n is zero.
// CHECK: warning: mem-validate: @one_more is not validated: another tensor's place in the arena is not known to be apart
func.func @one_more(%x: memref<?xf32>, %y: memref<4xf32>, %n: index) {
  %1 = arith.constant 1 : index
  %size = arith.addi %n, %1 : index
  %0 = arith.constant 0 : index
  %8 = arith.constant 8 : index
  %positive = arith.maxsi %n, %0 : index
  %bytes = arith.muli %positive, %8 : index
  %start = arith.addi %bytes, %1 : index
  %end = arith.addi %start, %8 : index
  %arena_bytes = arith.addi %end, %8 : index
  %arena = memref.alloc(%arena_bytes) : memref<?xi8>
  %a = memref.view %arena[%0][%size] : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%start][] : memref<?xi8> to memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  linalg.log ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
