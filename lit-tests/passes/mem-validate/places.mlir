// Tensors whose places in an arena are known only at run time are compared with their namesakes in
// inputs/places.mlir.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/places.mlir})' -o %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: warning
// CHECK-NOT: error

// Three tensors after each other, the last one at the next multiple of 64.
func.func @after_each_other(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %63 = arith.constant 63 : index
  %mask = arith.constant -64 : index
  %positive = arith.maxsi %n, %0 : index
  %end_of_a = arith.muli %positive, %4 : index
  %end_of_b = arith.addi %end_of_a, %end_of_a : index
  %raised = arith.addi %end_of_b, %63 : index
  %start_of_c = arith.andi %raised, %mask : index
  %64 = arith.constant 64 : index
  %size = arith.addi %start_of_c, %64 : index
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

// %a and %b are at address 0 one after the other, and %c is after the larger of them.
func.func @after_the_larger(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %64 = arith.constant 64 : index
  %bytes = arith.muli %n, %4 : index
  %start_of_c = arith.maxsi %bytes, %64 : index
  %end = arith.addi %start_of_c, %bytes : index
  %size = arith.maxsi %end, %64 : index
  %arena = mem.arena "arena", %size : !mem.arena
  %buffer = mem.view %arena[0] : !mem.arena -> !mem.buffer<64>
  %b = mem.descriptor %buffer[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %of_a = mem.view %arena[0, %bytes] : !mem.arena -> !mem.buffer<?>
  %bytes_of_a = mem.descriptor %of_a[0, %bytes] : !mem.buffer<?> -> memref<?xi8>
  %a = memref.view %bytes_of_a[%0][%n] : memref<?xi8> to memref<?xf32>
  %of_c = mem.view %arena[%start_of_c, %bytes] : !mem.arena -> !mem.buffer<?>
  %bytes_of_c = mem.descriptor %of_c[0, %bytes] : !mem.buffer<?> -> memref<?xi8>
  %c = memref.view %bytes_of_c[%0][%n] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%z : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.log ins(%b : memref<16xf32>) outs(%z : memref<16xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.log ins(%a : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.mul ins(%a, %c : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// The size of a matrix is a product, and the order of its factors is irrelevant.
func.func @matrices(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %8 = arith.constant 8 : index
  %n = memref.dim %x, %0 : memref<?x?xf32>
  %m = memref.dim %x, %1 : memref<?x?xf32>
  %elements = arith.muli %m, %n : index
  %bytes = arith.muli %elements, %4 : index
  %size = arith.muli %elements, %8 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%bytes][%n, %m] : memref<?xi8> to memref<?x?xf32>
  %b = memref.view %arena[%0][%n, %m] : memref<?xi8> to memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.log ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  linalg.mul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

// Both tensors keep their places in all iterations.
func.func @in_a_loop(%x: memref<?xf32>, %y: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %16 = arith.constant 16 : index
  %positive = arith.maxsi %n, %0 : index
  %start_of_b = arith.muli %positive, %4 : index
  %size = arith.addi %start_of_b, %4 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%0][%n] : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  scf.for %i = %0 to %16 step %1 {
    %b = memref.view %arena[%start_of_b][] : memref<?xi8> to memref<1xf32>
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

// Whatever the size of the arena, the places of these tensors are known.
func.func @carried(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %16 = arith.constant 16 : index
  %arena = memref.alloc(%16) : memref<?xi8>
  %a = memref.view %arena[%4][] : memref<?xi8> to memref<1xf32>
  %u = memref.load %y[%0] : memref<16xf32>
  memref.store %u, %a[%0] : memref<1xf32>
  scf.for %i = %0 to %16 step %1 {
    %v = memref.load %a[%0] : memref<1xf32>
    memref.store %v, %y[%i] : memref<16xf32>
    %w = memref.load %x[%i] : memref<16xf32>
    memref.store %w, %a[%0] : memref<1xf32>
  }
  return
}

// The arena is the same in all iterations.
func.func @allocated_before(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %16 = arith.constant 16 : index
  %size = arith.maxsi %n, %16 : index
  %start = arith.subi %size, %1 : index
  %arena = memref.alloc(%size) : memref<?xi8>
  %a = memref.view %arena[%start][] : memref<?xi8> to memref<1xf32>
  scf.for %i = %0 to %16 step %1 {
    %v = memref.load %a[%0] : memref<1xf32>
    memref.store %v, %y[%i] : memref<16xf32>
    %w = memref.load %x[%i] : memref<16xf32>
    memref.store %w, %a[%0] : memref<1xf32>
  }
  return
}

// The sizes may be those of no element, but then there is nothing to overlap.
func.func @two_more(%x: memref<?xf32>, %y: memref<1xf32>, %n: index, %m: index) {
  %2 = arith.constant 2 : index
  %size = arith.addi %n, %2 : index
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %start = arith.muli %size, %4 : index
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

func.func @sum(%x: memref<?xf32>, %y: memref<1xf32>, %n: index, %m: index) {
  %size = arith.addi %n, %m : index
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %start = arith.muli %size, %4 : index
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

// %a has elements only if %n is not negative, and then it ends before %b.
func.func @one_more(%x: memref<?xf32>, %y: memref<4xf32>, %n: index) {
  %1 = arith.constant 1 : index
  %size = arith.addi %n, %1 : index
  %0 = arith.constant 0 : index
  %8 = arith.constant 8 : index
  %positive = arith.maxsi %n, %0 : index
  %bytes = arith.muli %positive, %8 : index
  %start = arith.addi %bytes, %8 : index
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
