// Loops that write to a slice, known only at run time, what the original copies there. The original is in
// inputs/slices.mlir.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/slice.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/slices.mlir noalias-arguments})' -o %t/out.mlir 2>&1 | FileCheck %s --allow-empty --implicit-check-not=@f
// RUN: mem-opt %t/turned.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/slices.mlir noalias-arguments})' -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: mem-opt %t/other.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/slices.mlir noalias-arguments})' -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: mem-opt %t/twice.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/slices.mlir noalias-arguments})' -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: mem-opt %t/before.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/slices.mlir noalias-arguments})' -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=OPEN

// The loops of @some do not write all of the slice, and what they leave is not undefined.
// CHECK: warning: mem-validate: @some is not validated: what it is depends on which bytes are accessed at run time
// The loops of @counted write to the slices that have been counted so far.
// CHECK: warning: mem-validate: @counted is not validated: what it is depends on which bytes are accessed at run time
// OPEN: warning: mem-validate: @f is not validated: what it is depends on which bytes are accessed at run time

//--- slice.mlir
func.func @f(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %out[%t, %i, %j] : memref<64x32x48xf32>
      }
    }
  }
  return
}

func.func @some(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c31 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        memref.store %v, %out[%t, %i, %j] : memref<64x32x48xf32>
      }
    }
  }
  return
}

func.func @counted(%x: memref<32xf32>, %out: memref<64x32xf32>, %l: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    %n = scf.execute_region -> index {
      cf.br ^head(%l, %l : index, index)
    ^head(%i: index, %k: index):
      %goes_on = arith.cmpi slt, %i, %m : index
      cf.cond_br %goes_on, ^body, ^end
    ^body:
      %v = memref.load %x[%i] : memref<32xf32>
      memref.store %v, %out[%k, %i] : memref<64x32xf32>
      %i1 = arith.addi %i, %c1 : index
      %k1 = arith.addi %k, %c1 : index
      cf.br ^head(%i1, %k1 : index, index)
    ^end:
      scf.yield %k : index
    }
  }
  return
}

//--- turned.mlir
// Another element of the slice.
func.func @f(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c47 = arith.constant 47 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        %w = arith.addf %v, %v : f32
        %k = arith.subi %c47, %j : index
        memref.store %w, %out[%t, %i, %k] : memref<64x32x48xf32>
      }
    }
  }
  return
}

//--- other.mlir
// Another slice.
func.func @f(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %out[%c1, %i, %j] : memref<64x32x48xf32>
      }
    }
  }
  return
}

//--- twice.mlir
// Another slice as well.
func.func @f(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        %w = arith.addf %v, %v : f32
        memref.store %v, %out[%c1, %i, %j] : memref<64x32x48xf32>
        memref.store %w, %out[%t, %i, %j] : memref<64x32x48xf32>
      }
    }
  }
  return
}

//--- before.mlir
// What is there before is not what is there in the original.
func.func @f(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  scf.for %t = %c0 to %c64 step %c1 {
    memref.store %z, %out[%t, %c0, %c0] : memref<64x32x48xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %out[%t, %i, %j] : memref<64x32x48xf32>
      }
    }
  }
  return
}

