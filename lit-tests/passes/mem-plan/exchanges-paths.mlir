// Requests that other blocks wait for: their bytes are in use on every path until the wait there.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' --verify-diagnostics | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{order=auto overlap=any})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=VALID --allow-empty
// VALID-NOT: {{warning|error}}

// "buf1" is written while the message travels. "buf2" is not: it takes the bytes of "buf0".
// CHECK-LABEL: func.func @both_arms
func.func @both_arms(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  // CHECK: mem.arena "arena", 128
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: mem.view %arena[0] {{.*}}"buf0"
  %a = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[64] {{.*}}"buf1"
  %b = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[0] {{.*}}"buf2"
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^yes, ^no
^yes:
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.br ^join
^no:
  linalg.tanh ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  cf.br ^join
^join:
  linalg.exp ins(%b : memref<16xf32>) outs(%d : memref<16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (15 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b, %d : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  }
  return
}

// The message travels around a loop, any number of times. What the loop writes is elsewhere.
// CHECK-LABEL: func.func @behind_a_loop
func.func @behind_a_loop(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  // CHECK: mem.arena "arena", 128
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  linalg.exp ins(%b : memref<16xf32>) outs(%b : memref<16xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  mpi.wait(%r) : !mpi.request
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
