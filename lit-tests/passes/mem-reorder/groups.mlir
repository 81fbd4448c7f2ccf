// Consecutive operations of one tile group move as one, or not at all.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-reorder,mem-validate)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder)' --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline)' | FileCheck %s --check-prefix=LOWERED

// Units: 2 in @together, 5 in @interleaved, 4 in @moved.
// STATISTICS: 11 steps
// STATISTICS-NEXT: 2 blocks

// LOWERED-NOT: mem.group

// One by one, the second large buffer would be written after the first one has been read.
// CHECK-LABEL: @together
// CHECK: linalg.fill
// CHECK-NEXT: linalg.fill
// CHECK: linalg.add
// CHECK: linalg.add
func.func @together(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  linalg.fill {mem.group = 0 : i64} ins(%c : f32) outs(%a : memref<1024xf32>)
  linalg.fill {mem.group = 0 : i64} ins(%c : f32) outs(%b : memref<1024xf32>)
  %va = memref.subview %a[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add {mem.group = 0 : i64} ins(%x, %va : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%d : memref<64xf32>)
  %vb = memref.subview %b[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add {mem.group = 0 : i64} ins(%x, %vb : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%e : memref<64xf32>)
  linalg.add ins(%d, %e : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// Operations of a group that do not follow each other are no unit.
// CHECK-LABEL: @interleaved
// CHECK: linalg.fill
// CHECK: linalg.add
// CHECK: linalg.fill
// CHECK: linalg.add
func.func @interleaved(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  linalg.fill {mem.group = 0 : i64} ins(%c : f32) outs(%a : memref<1024xf32>)
  linalg.fill {mem.group = 1 : i64} ins(%c : f32) outs(%b : memref<1024xf32>)
  %va = memref.subview %a[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add {mem.group = 0 : i64} ins(%x, %va : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%d : memref<64xf32>)
  %vb = memref.subview %b[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add {mem.group = 1 : i64} ins(%x, %vb : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%e : memref<64xf32>)
  linalg.add ins(%d, %e : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// Both operations of the group run before the other large buffer is written.
// CHECK-LABEL: @moved
// CHECK-NOT:   linalg.fill ins(
// CHECK:       linalg.fill {mem.group
// CHECK:       linalg.add {mem.group
// CHECK:       linalg.fill ins(
// CHECK:       linalg.add ins(
func.func @moved(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  linalg.fill {mem.group = 0 : i64} ins(%c : f32) outs(%b : memref<1024xf32>)
  %vb = memref.subview %b[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add {mem.group = 0 : i64} ins(%x, %vb : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%d : memref<64xf32>)
  %va = memref.subview %a[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%x, %va : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%e : memref<64xf32>)
  linalg.add ins(%d, %e : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}
