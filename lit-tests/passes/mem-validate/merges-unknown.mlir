// What has been read before a storage was written by another name is not what it holds after that. The
// originals are in inputs/merges.mlir.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/merges.mlir})' -o %t 2>&1 | FileCheck %s

func.func private @f(memref<1xf32>)

// CHECK-DAG: mem-validate: @call is not validated
func.func @call(%x: memref<1xf32>, %y: memref<1xf32>, %p: i1, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%0] : memref<1xf32>
  cf.cond_br %p, ^bb1(%x : memref<1xf32>), ^bb1(%a : memref<1xf32>)
^bb1(%m: memref<1xf32>):
  %before = memref.load %m[%0] : memref<1xf32>
  call @f(%x) : (memref<1xf32>) -> ()
  %after = memref.load %m[%0] : memref<1xf32>
  %d = arith.subf %before, %before : f32
  memref.store %d, %y[%0] : memref<1xf32>
  return
}

// CHECK-DAG: mem-validate: @store_known is not validated
func.func @store_known(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %n: index, %p: i1, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  cf.cond_br %p, ^bb1(%x : memref<8xf32>), ^bb1(%a : memref<8xf32>)
^bb1(%m: memref<8xf32>):
  %before = memref.load %m[%0] : memref<8xf32>
  memref.store %v, %z[%0] : memref<8xf32>
  %after = memref.load %m[%0] : memref<8xf32>
  %d = arith.subf %before, %before : f32
  memref.store %d, %y[%0] : memref<8xf32>
  return
}

// CHECK-DAG: mem-validate: @store_at_run_time is not validated
func.func @store_at_run_time(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>, %n: index, %p: i1, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  cf.cond_br %p, ^bb1(%x : memref<8xf32>), ^bb1(%a : memref<8xf32>)
^bb1(%m: memref<8xf32>):
  %before = memref.load %m[%0] : memref<8xf32>
  memref.store %v, %z[%n] : memref<8xf32>
  %after = memref.load %m[%0] : memref<8xf32>
  %d = arith.subf %before, %before : f32
  memref.store %d, %y[%0] : memref<8xf32>
  return
}

// The first store through one of two storages is missing.
// CHECK-DAG: mem-validate: @stores is not validated
func.func @stores(%y: memref<1xf32>, %p: i1, %q: i1, %v: f32, %w: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%0] : memref<1xf32>
  cf.cond_br %p, ^bb1(%a : memref<1xf32>), ^bb1(%b : memref<1xf32>)
^bb1(%m: memref<1xf32>):
  %s = arith.addf %v, %w : f32
  cf.cond_br %q, ^bb2(%a : memref<1xf32>), ^bb2(%b : memref<1xf32>)
^bb2(%n: memref<1xf32>):
  memref.store %s, %n[%0] : memref<1xf32>
  %f = memref.load %a[%0] : memref<1xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %y[%0] : memref<1xf32>
  return
}

// What the loop reads has been read before the loop.
// CHECK-DAG: mem-validate: {{.*}}@loop
func.func @loop(%y: memref<1xf32>, %n: index, %p: i1, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%0] : memref<1xf32>
  memref.store %v, %b[%0] : memref<1xf32>
  cf.cond_br %p, ^bb1(%a : memref<1xf32>), ^bb1(%b : memref<1xf32>)
^bb1(%m: memref<1xf32>):
  %f = memref.load %m[%0] : memref<1xf32>
  scf.for %i = %0 to %n step %1 {
    %s = arith.addf %f, %v : f32
    memref.store %s, %a[%0] : memref<1xf32>
  }
  memref.copy %a, %y : memref<1xf32> to memref<1xf32>
  return
}

// What the loop reads by one name has not been written by the other one yet.
// CHECK-DAG: mem-validate: @instances is not validated
func.func @instances(%x: memref<8xf32>, %y: memref<8xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%0] : memref<1xf32>
  memref.store %v, %b[%0] : memref<1xf32>
  scf.for %i = %0 to %n step %1 iter_args(%m = %a, %k = %b) -> (memref<1xf32>, memref<1xf32>) {
    %c = memref.alloc() : memref<1xf32>
    memref.store %v, %c[%0] : memref<1xf32>
    %w = memref.load %x[%i] : memref<8xf32>
    %f = memref.load %m[%0] : memref<1xf32>
    memref.store %w, %k[%0] : memref<1xf32>
    memref.store %f, %y[%i] : memref<8xf32>
    scf.yield %c, %c : memref<1xf32>, memref<1xf32>
  }
  return
}
