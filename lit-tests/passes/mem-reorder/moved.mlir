// Two large buffers are written one after the other, and each is read once. The second one is written
// after the first one has been read: one of them is live at a time.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-reorder,mem-validate)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder{threshold=46})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder{order=keep})' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder{threshold=45})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder)' --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS

// In @main, both large buffers and one result are live at once, 4096 + 4096 + 256 bytes; then one large
// buffer and both results. That saves 3840 of 8448 bytes: 45.5 %. The largest peaks are those of @apart:
// 4096 + 4096 + 512 + 256 bytes, then one large buffer less.
// STATISTICS-LABEL: mem-reorder
// STATISTICS: 3 blocks
// STATISTICS-NEXT: 8960 before
// STATISTICS-NEXT: 4864 after
// STATISTICS-NEXT: 4864 bound

// CHECK-LABEL: @main
// CHECK:      %[[A:.*]] = memref.alloc() : memref<1024xf32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[D:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT: %[[VA:.*]] = memref.subview %[[A]]
// CHECK-NEXT: linalg.add ins(%{{.*}}, %[[VA]] {{.*}} outs(%[[D]]
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<1024xf32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[B]]
// KEPT-LABEL: @main
// KEPT-COUNT-4: memref.alloc
// KEPT: linalg.fill
// KEPT-NEXT: linalg.fill
func.func @main(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<64xf32>
  %e = memref.alloc() : memref<64xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  %va = memref.subview %a[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%x, %va : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%d : memref<64xf32>)
  %vb = memref.subview %b[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%x, %vb : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%e : memref<64xf32>)
  linalg.add ins(%d, %e : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// A loop is one step; the block inside it is ordered as well.
// CHECK-LABEL: @inside
// CHECK: scf.for
// CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<1024xf32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT: memref.load %[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.alloc() : memref<1024xf32>
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[B]]
// CHECK-NEXT: memref.load %[[B]]
func.func @inside(%out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.alloc() : memref<1024xf32>
    linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
    %b = memref.alloc() : memref<1024xf32>
    linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
    %p = memref.load %a[%c0] : memref<1024xf32>
    %q = memref.load %b[%i] : memref<1024xf32>
    %r = arith.addf %p, %q : f32
    memref.store %r, %out[%i] : memref<64xf32>
  }
  return
}

// The halves of one buffer share no byte, so that a write of the one passes an access to the other:
// the large buffer of the first operation is filled after the copy, and after the addition that reads
// the low half.
// CHECK-LABEL: @apart
// CHECK:     memref.copy
// CHECK:     linalg.fill
// CHECK:     linalg.add
// CHECK-NOT: linalg.add
// CHECK:     linalg.fill
// CHECK:     linalg.add
func.func @apart(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<1024xf32>
  %low = memref.subview %s[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  %high = memref.subview %s[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  %vb = memref.subview %b[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  memref.copy %x, %low : memref<64xf32> to memref<64xf32, strided<[1]>>
  %d = memref.alloc() : memref<64xf32>
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %va = memref.subview %a[0] [64] [1] : memref<1024xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%low, %va : memref<64xf32, strided<[1]>>, memref<64xf32, strided<[1]>>) outs(%d : memref<64xf32>)
  linalg.add ins(%d, %vb : memref<64xf32>, memref<64xf32, strided<[1]>>) outs(%high : memref<64xf32, strided<[1], offset: 64>>)
  memref.copy %high, %out : memref<64xf32, strided<[1], offset: 64>> to memref<64xf32>
  return
}
