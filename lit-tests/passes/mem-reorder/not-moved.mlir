// Where another order would have a lower peak, but is not allowed. In each function, two large buffers
// are written one after the other, and each is read once, as in moved.mlir; something keeps the
// second write in front of the first read.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-reorder,mem-validate)' --mlir-print-local-scope | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder)' --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS

// STATISTICS-LABEL: mem-reorder
// STATISTICS: 0 blocks
// STATISTICS-NEXT: 8{{...}} before
// STATISTICS-NEXT: 8{{...}} after

func.func private @log()

// A call of unknown effects between the writes and the reads.
// CHECK-LABEL: @call
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: call @log
// CHECK: memref.load
func.func @call(%out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  func.call @log() : () -> ()
  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %b[%c0] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}

// A call inside a region.
// CHECK-LABEL: @nested_call
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: scf.if
// CHECK: memref.load
func.func @nested_call(%flag: i1, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  scf.if %flag {
    func.call @log() : () -> ()
  }
  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %b[%c0] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}

// An assertion, and an operation that nothing is known about.
// CHECK-LABEL: @unknown
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK: cf.assert
// CHECK: memref.load
func.func @unknown(%flag: i1, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  cf.assert %flag, "no"
  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %b[%c0] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}

// The second buffer holds a byte of the first one, into which the first byte of the second one is
// stored.
// CHECK-LABEL: @conflict
// CHECK: linalg.fill
// CHECK: memref.load
// CHECK: linalg.fill
// CHECK: memref.load
// CHECK: memref.store
func.func @conflict(%out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  %v = memref.load %a[%c0] : memref<1024xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<1024xf32>)
  %w = memref.load %b[%c0] : memref<1024xf32>
  memref.store %w, %a[%c0] : memref<1024xf32>
  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %b[%c1] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}

// Arguments may overlap: the store to the one stays before the load of the other.
// CHECK-LABEL: @arguments
// CHECK: memref.store %{{.*}}, %[[T:.*]][]
// CHECK: memref.load %[[OUT:.*]][]
// CHECK: linalg.fill
func.func @arguments(%t: memref<f32>, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  %q = memref.load %b[%c0] : memref<1024xf32>
  memref.store %q, %t[] : memref<f32>
  %v = memref.load %out[] : memref<f32>
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<1024xf32>)
  %p = memref.load %a[%c0] : memref<1024xf32>
  memref.store %p, %out[] : memref<f32>
  return
}

// A transfer in flight, between its start and its wait.
// CHECK-LABEL: @transfer
// CHECK: linalg.fill
// CHECK: memref.dma_start
// CHECK: linalg.fill
// CHECK: memref.dma_wait
// CHECK: memref.load
func.func @transfer(%out: memref<f32>, %far: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 1024 : index
  %c = arith.constant 1.0 : f32
  %tag = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  memref.dma_start %far[%c0], %a[%c0], %n, %tag[%c0] : memref<1024xf32>, memref<1024xf32>, memref<1xi32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %b[%c0] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}

// Operations with control flow keep their order among each other.
// CHECK-LABEL: @control
// CHECK: scf.if
// CHECK: scf.if
// CHECK: memref.load
func.func @control(%flag: i1, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %d = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  scf.if %flag {
    linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  } else {
    linalg.fill ins(%d : f32) outs(%a : memref<1024xf32>)
  }
  %b = memref.alloc() : memref<1024xf32>
  scf.if %flag {
    linalg.fill ins(%c : f32) outs(%b : memref<1024xf32>)
  } else {
    linalg.fill ins(%d : f32) outs(%b : memref<1024xf32>)
  }
  %p = scf.if %flag -> f32 {
    %o = memref.load %a[%c0] : memref<1024xf32>
    scf.yield %o : f32
  } else {
    scf.yield %c : f32
  }
  %q = memref.load %b[%c0] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}
