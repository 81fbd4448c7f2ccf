// Copies that must stay: both the source and the target are needed, or they may be.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-remove-copies{noalias-arguments})' | FileCheck %s --check-prefix=NOALIAS

// STATISTICS: (S) {{ *}}0 copies
// STATISTICS: (S) {{ *}}1 kept

// The old contents of the target are read after the source is written.
// CHECK-LABEL: func.func @target_is_read
// CHECK: memref.copy
func.func @target_is_read(%out: memref<8xf32> {bufferize.result}, %v: f32, %i: index) -> f32 {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  %old = memref.load %out[%i] : memref<8xf32>
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  return %old : f32
}

// The target is written before the copy.
// CHECK-LABEL: func.func @target_is_written
// CHECK: memref.copy
func.func @target_is_written(%out: memref<8xf32> {bufferize.result}, %v: f32, %i: index) {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  memref.store %v, %out[%i] : memref<8xf32>
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  return
}

// The target changes, and the old contents are still read through the source.
// CHECK-LABEL: func.func @target_changes
// CHECK: memref.copy
func.func @target_changes(%out: memref<8xf32> {bufferize.result}, %v: f32, %i: index) -> f32 {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  memref.store %v, %out[%i] : memref<8xf32>
  %old = memref.load %x[%i] : memref<8xf32>
  return %old : f32
}

// The source changes, and the target must not change with it.
// CHECK-LABEL: func.func @source_changes
// CHECK: memref.copy
func.func @source_changes(%out: memref<8xf32> {bufferize.result}, %v: f32, %w: f32, %i: index) -> f32 {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  memref.store %w, %x[%i] : memref<8xf32>
  %new = memref.load %x[%i] : memref<8xf32>
  return %new : f32
}

// The contents of the source are loop-carried.
// CHECK-LABEL: func.func @carried
// CHECK: memref.copy
func.func @carried(%out: memref<4x8xf32> {bufferize.result}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = memref.alloc() : memref<1x8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<1x8xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %x[%c0, %c0] : memref<1x8xf32>
    %b = arith.addf %a, %v : f32
    memref.store %b, %x[%c0, %c0] : memref<1x8xf32>
    %row = memref.subview %out[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %x, %row : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  }
  return
}

// The input may alias the output.
// CHECK-LABEL: func.func @may_be_one
// CHECK: memref.copy
// NOALIAS-LABEL: func.func @may_be_one
// NOALIAS-NOT: memref.copy
// NOALIAS: return
func.func @may_be_one(%in: memref<8xf32>, %out: memref<8xf32>, %v: f32, %i: index) -> f32 {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  %old = memref.load %in[%i] : memref<8xf32>
  memref.copy %x, %out : memref<8xf32> to memref<8xf32>
  return %old : f32
}

// The callee expects the layout of the source.
// CHECK-LABEL: func.func @called
// CHECK: memref.copy
func.func private @callee(memref<4x4xf32>)
func.func @called(%out: memref<6x6xf32> {bufferize.result}) {
  %x = memref.alloc() : memref<4x4xf32>
  call @callee(%x) : (memref<4x4xf32>) -> ()
  %inside = memref.subview %out[1, 1] [4, 4] [1, 1] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  memref.copy %x, %inside : memref<4x4xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  return
}

// The fill overwrites a value that was stored to another part of the target earlier.
// CHECK-LABEL: func.func @fill_cannot_move
// CHECK: memref.copy
func.func @fill_cannot_move(%out: memref<16xf32> {bufferize.result}, %v: f32, %w: f32, %i: index) -> f32 {
  %c12 = arith.constant 12 : index
  %y = memref.alloc() : memref<16xf32>
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  memref.store %v, %y[%c12] : memref<16xf32>
  %a = memref.load %y[%c12] : memref<16xf32>
  linalg.fill ins(%w : f32) outs(%y : memref<16xf32>)
  %part = memref.subview %y[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %x, %part : memref<8xf32> to memref<8xf32, strided<[1]>>
  mem.kernel "read" uses(%y : memref<16xf32>) defines(%out : memref<16xf32>)
  return %a : f32
}

// The target is larger than the source, and extending its live range would overlap another buffer.
// CHECK-LABEL: func.func @too_large
// CHECK: memref.copy
func.func @too_large(%out: memref<16xf32> {bufferize.result}, %v: f32) {
  %x = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  %z = memref.alloc() : memref<100xf32>
  mem.kernel "make" defines(%z : memref<100xf32>)
  mem.kernel "use" uses(%z : memref<100xf32>) defines(%out : memref<16xf32>)
  %y = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%y : memref<64xf32>)
  %part = memref.subview %y[0] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1]>>
  memref.copy %x, %part : memref<8xf32> to memref<8xf32, strided<[1]>>
  mem.kernel "read" uses(%y : memref<64xf32>) defines(%out : memref<16xf32>)
  return
}

// An asynchronous transfer to the target is still in flight when the source is defined.
// CHECK-LABEL: func.func @under_way
// CHECK: mem.store async
// CHECK: mem.kernel "make"
// CHECK: mem.wait
// CHECK: memref.copy
func.func @under_way(%in: memref<16xf32>, %out: memref<16xf32> {bufferize.result}) {
  %y = memref.alloc() : memref<16xf32>
  %t = mem.store async %in to %y : memref<16xf32> to memref<16xf32>
  %x = memref.alloc() : memref<8xf32>
  mem.kernel "make" defines(%x : memref<8xf32>)
  mem.wait %t
  %part = memref.subview %y[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %x, %part : memref<8xf32> to memref<8xf32, strided<[1]>>
  mem.kernel "read" uses(%y : memref<16xf32>) defines(%out : memref<16xf32>)
  return
}
