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
