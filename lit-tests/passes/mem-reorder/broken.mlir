// The check finds errors in orders: what was written is compared with the original order, operation by
// operation.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-reorder)' | FileCheck %s --check-prefix=RIGHT
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=value})' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=memory})' 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=barrier})' 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=peak})' 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-reorder{break=?})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// RIGHT: memref.load
// VALUE: broken.mlir:[[#@LINE+22]]:8: error: internal error in mem-reorder: a value is used before it is defined; please report it
// VALUE: broken.mlir:[[#@LINE+20]]:8: note: this is the other operation
// MEMORY: error: internal error in mem-reorder: two operations that access the same bytes have changed places; please report it
// MEMORY: note: this is the other operation
// BARRIER: error: internal error in mem-reorder: an operation has changed places with one that must keep its place; please report it
// BARRIER: note: this is the other operation
// PEAK: error: internal error in mem-reorder: the peak is 4096 bytes, not 4095; please report it
// UNKNOWN: error: mem-reorder: unknown value '?' for option 'break': expected value, memory, barrier, peak

func.func private @log()

func.func @main(%out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  func.call @log() : () -> ()
  memref.store %c, %a[%c0] : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)

  %p = memref.load %a[%c0] : memref<1024xf32>
  %q = memref.load %a[%c0] : memref<1024xf32>
  %r = arith.addf %p, %q : f32
  memref.store %r, %out[] : memref<f32>
  return
}
