// Sizes known only at run time: an allocation of bounded size becomes a buffer of that bound; other buffers
// take their size as an operand. Both are accessed through a memref.view with the dimensions of the allocation.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' | FileCheck %s

// CHECK-LABEL: func.func @whole
func.func @whole(%in: memref<?x16xf32>, %out: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[N:.*]] = memref.dim
  %n = memref.dim %in, %c0 : memref<?x16xf32>
  // CHECK: %[[ROW:.*]] = arith.constant 64 : index
  // CHECK: %[[BYTES:.*]] = arith.muli %[[ROW]], %[[N]]
  // CHECK: %[[A:.*]] = mem.buffer[%[[BYTES]]] {alignment = 64 : i64, {{.*}}} : !mem.buffer<?>
  // CHECK: %[[ALL:.*]] = mem.descriptor %[[A]][0, %[[BYTES]]] : !mem.buffer<?> -> memref<?xi8>
  // CHECK: %[[V:.*]] = memref.view %[[ALL]][{{.*}}][%[[N]]] : memref<?xi8> to memref<?x16xf32>
  // CHECK: linalg.exp {{.*}} outs(%[[V]] : memref<?x16xf32>)
  %a = memref.alloc(%n) {alignment = 64} : memref<?x16xf32>
  linalg.exp ins(%in : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  // Equal sizes in bytes are computed only once.
  // CHECK-NOT: arith.muli
  // CHECK: mem.buffer[%[[BYTES]]]
  %b = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%a : memref<?x16xf32>) outs(%b : memref<?x16xf32>)
  linalg.exp ins(%b : memref<?x16xf32>) outs(%out : memref<?x16xf32>)
  // CHECK-NOT: dealloc
  memref.dealloc %a : memref<?x16xf32>
  memref.dealloc %b : memref<?x16xf32>
  return
}

// The last tile may be smaller, and no tile is larger.
// CHECK-LABEL: func.func @tiles
func.func @tiles(%in: memref<100x8xf32>, %out: memref<100x8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c32 {
    // CHECK: %[[N:.*]] = affine.min
    %n = affine.min affine_map<(d0) -> (32, 100 - d0)>(%i)
    %x = memref.subview %in[%i, 0] [%n, 8] [1, 1] : memref<100x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    %y = memref.subview %out[%i, 0] [%n, 8] [1, 1] : memref<100x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
    // CHECK: mem.buffer {{.*}} : !mem.buffer<1024>
    // CHECK: mem.descriptor {{.*}}[0, 1024] : !mem.buffer<1024> -> memref<1024xi8>
    // CHECK: memref.view {{.*}}[%[[N]]] : memref<1024xi8> to memref<?x8xf32>
    %t = memref.alloc(%n) : memref<?x8xf32>
    linalg.exp ins(%x : memref<?x8xf32, strided<[8, 1], offset: ?>>) outs(%t : memref<?x8xf32>)
    linalg.exp ins(%t : memref<?x8xf32>) outs(%y : memref<?x8xf32, strided<[8, 1], offset: ?>>)
    memref.dealloc %t : memref<?x8xf32>
  }
  return
}

// Only one of two dimensions is bounded, which is not enough.
// CHECK-LABEL: func.func @half_bounded
func.func @half_bounded(%n: index, %m: index, %v: f32) {
  %c8 = arith.constant 8 : index
  %k = arith.minsi %n, %c8 : index
  // CHECK: mem.buffer[%{{.*}}] {{.*}} : !mem.buffer<?>
  // CHECK: memref.view %{{.*}}[%{{.*}}][%{{.*}}, %{{.*}}] : memref<?xi8> to memref<?x?xf32>
  %a = memref.alloc(%k, %m) : memref<?x?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?x?xf32>)
  %x = memref.load %a[%n, %n] : memref<?x?xf32>
  memref.store %x, %a[%n, %n] : memref<?x?xf32>
  return
}

// A bound whose size in bytes overflows does not count as a bound.
// CHECK-LABEL: func.func @bounded_by_nothing
func.func @bounded_by_nothing(%n: index, %v: f32) {
  %most = arith.constant 9223372036854775807 : index
  %k = arith.minsi %n, %most : index
  // CHECK: mem.buffer[
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  return
}

// A size that is computed before the first buffer may come from any operation. A size that
// is computed later must be recomputable before the first buffer, from pure operations only.
// CHECK-LABEL: func.func @computed
func.func @computed(%sizes: memref<2xindex>, %m: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.load %sizes[%c0] : memref<2xindex>
  // CHECK: mem.buffer[
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  // CHECK: mem.buffer[
  %twice = arith.muli %n, %m : index
  %b = memref.alloc(%twice) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  // CHECK: memref.alloc(
  %late = memref.load %sizes[%c1] : memref<2xindex>
  %c = memref.alloc(%late) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%c : memref<?xf32>)
  // CHECK: memref.alloc(
  %quotient = arith.divui %n, %m : index
  %d = memref.alloc(%quotient) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<?xf32>)
  return
}

// The rows that a window of three rows reads of a tensor of 56 rows, clipped at both borders. What is
// clipped cancels, so the sum has the bound of the window.
// CHECK-LABEL: func.func @clipped
func.func @clipped(%v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c56 = arith.constant 56 : index
  scf.for %i = %c0 to %c56 step %c4 {
    %above = affine.max affine_map<(d0) -> (-d0 + 1, 0)>(%i)
    %first = affine.max affine_map<(d0) -> (0, d0 - 1)>(%i)
    %rows = affine.min affine_map<(d0, d1) -> (-d0 + 56, -d1 + 6)>(%first, %above)
    %some = affine.max affine_map<(d0) -> (0, d0)>(%rows)
    %below = affine.apply affine_map<(d0, d1) -> (-d0 - d1 + 6)>(%above, %some)
    %part = arith.addi %some, %above : index
    %all = arith.addi %part, %below : index
    // Always six rows, and from five to six rows.
    // CHECK: mem.buffer {{.*}} : !mem.buffer<192>
    %a = memref.alloc(%all) : memref<?x8xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?x8xf32>)
    // CHECK: mem.buffer {{.*}} : !mem.buffer<192>
    %b = memref.alloc(%some) : memref<?x8xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<?x8xf32>)
    // The size of a view of it has the same bound.
    %view = memref.subview %b[0, 0] [%some, 4] [1, 1] : memref<?x8xf32> to memref<?x4xf32, strided<[8, 1]>>
    %size = memref.dim %view, %c0 : memref<?x4xf32, strided<[8, 1]>>
    // CHECK: mem.buffer {{.*}} : !mem.buffer<24>
    %c = memref.alloc(%size) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%c : memref<?xf32>)
  }
  return
}

// A chosen size has the larger one of two bounds. Quotients and remainders have bounds, too.
// CHECK-LABEL: func.func @chosen
func.func @chosen(%n: index, %which: i1, %v: f32) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %k = affine.min affine_map<()[s0] -> (s0, 16)>()[%n]
  %half = arith.ceildivsi %k, %c3 : index
  %chosen = scf.if %which -> (index) {
    scf.yield %half : index
  } else {
    %less = affine.apply affine_map<(d0) -> (d0 mod 5)>(%n)
    scf.yield %less : index
  }
  // CHECK: mem.buffer {{.*}} : !mem.buffer<24>
  %a = memref.alloc(%chosen) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  return
}

// No bound: a maximum with something unknown, a difference from something without a lower bound, a
// choice of something unknown, and an unsigned quotient of something that may be negative. Without a
// bound, a size that is not known early is not planned.
// CHECK-LABEL: func.func @unbounded
func.func @unbounded(%sizes: memref<2xindex>, %n: index, %m: index, %which: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = affine.max affine_map<(d0) -> (d0, 4)>(%n)
  // CHECK: mem.buffer[
  %a = memref.alloc(%most) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %small = affine.min affine_map<(d0) -> (d0, 4)>(%n)
  %rest = arith.subi %c4, %small : index
  // CHECK: mem.buffer[
  %b = memref.alloc(%rest) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %chosen = arith.select %which, %small, %m : index
  // CHECK: mem.buffer[
  %c = memref.alloc(%chosen) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%c : memref<?xf32>)
  %half = arith.divui %small, %c4 : index
  // CHECK: mem.buffer[
  %d = memref.alloc(%half) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<?xf32>)
  %late = memref.load %sizes[%c0] : memref<2xindex>
  %later = affine.max affine_map<(d0) -> (d0, 4)>(%late)
  // CHECK: memref.alloc(
  %e = memref.alloc(%later) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%e : memref<?xf32>)
  // CHECK-NOT: !mem.buffer<{{[0-9]+}}>
  return
}
