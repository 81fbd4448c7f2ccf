// Equivalent programs are accepted without a diagnostic: copies and buffers may be removed, results
// may be computed in place if each element is read before it is written, and calls may be inlined.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t 2>&1 | count 0
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-inline,convert-memref-to-mem,mem-forward-stores,mem-cse,mem-dead-store-elimination,mem-validate)' -o %t 2>&1 | count 0
// RUN: mem-opt %S/inputs/original.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/original.mlir})' -o %t 2>&1 | count 0
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate)' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: mem-validate: no program to compare with: run mem-snapshot first, or give the option 'original'
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%t.none})' 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: mem-validate: cannot read {{.*}}.none

func.func private @callee(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  memref.copy %x, %t : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%t : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  call @callee(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%own = %a) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    linalg.tanh ins(%own : memref<8xf32>) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  scf.if %p {
    memref.copy %r, %y : memref<8xf32> to memref<8xf32>
  }
  return
}

// Elements of a filled tensor, one of which is copied to another on one path: all of them are still equal.
func.func @one_of_many(%z: memref<5xf32>, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %cst = arith.constant 27.25 : f32
  %a = memref.alloc() : memref<24xf32>
  linalg.fill ins(%cst : f32) outs(%a : memref<24xf32>)
  %part = memref.subview %a[4] [5] [1] : memref<24xf32> to memref<5xf32, strided<[1], offset: 4>>
  cf.cond_br %p, ^then, ^end
^then:
  %at = arith.remui %n, %c4 : index
  %v = memref.load %a[%at] : memref<24xf32>
  memref.store %v, %part[%at] : memref<5xf32, strided<[1], offset: 4>>
  cf.br ^end
^end:
  %w = memref.load %part[%c2] : memref<5xf32, strided<[1], offset: 4>>
  memref.store %w, %z[%c0] : memref<5xf32>
  return
}

// The body has operations whose results are unused. Optimizations erase them, and nothing reads %t then.
func.func @unused_operand(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %unused = arith.subf %in, %out : f32
    %result = math.exp %out : f32
    linalg.yield %result : f32
  }
  return
}

// The first and the last of three operands that are one value are read.
func.func @one_value(%x: memref<8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %unused = arith.addf %in, %other : f32
    %result = arith.subf %in, %out : f32
    linalg.yield %result : f32
  }
  %t = memref.alloc() : memref<8xf32>
  memref.copy %x, %t : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%t : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// The body has operations that load elements, and whose results are unused.
func.func @unused_in_body(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  memref.copy %x, %t : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %two = arith.constant 2 : index
    %i = linalg.index 0 : index
    %at = arith.remui %i, %two : index
    %unused = memref.load %t[%at] : memref<8xf32>
    %sum = arith.addf %in, %unused : f32
    %result = math.exp %in : f32
    linalg.yield %result : f32
  }
  return
}
