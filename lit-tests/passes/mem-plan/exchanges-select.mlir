// Requests that a select chooses from: the bytes of both are in use until each of them has been waited for,
// whatever the condition is. Selects in one block that have the same condition choose alike.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{noalias-arguments=true})' --verify-diagnostics | FileCheck %s

// "buf0" and "buf1" travel until the second wait, whichever of them it is for. Nothing takes their bytes before, and
// "buf3" does afterwards.
// CHECK-LABEL: func.func @in_turns
// CHECK: mem.arena "arena", 192
// CHECK-DAG: mem.view %arena[0] {{.*}}"buf0"
// CHECK-DAG: mem.view %arena[64] {{.*}}"buf1"
// CHECK-DAG: mem.view %arena[128] {{.*}}"buf2"
// CHECK-DAG: mem.view %arena[{{0|64}}] {{.*}}"buf3"
// CHECK: return
func.func @in_turns(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  %e = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.tanh ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %r : !mpi.request
  %second = arith.select %p, %r, %s : !mpi.request
  mpi.wait(%first) : !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%d : memref<16xf32>)
  mpi.wait(%second) : !mpi.request
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (15 - i)>], iterator_types = ["parallel"]}
      ins(%d : memref<16xf32>) outs(%e : memref<16xf32>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %u : f32
  }
  linalg.exp ins(%e : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// One of the two requests is never waited for. It is not known which one.
// CHECK-LABEL: func.func @only_one
// CHECK-NOT: mem.arena
// CHECK: return
func.func @only_one(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this 'mpi.isend'}}
  %r = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %r : !mpi.request
  // expected-warning @below {{mem-validate: @only_one is not validated: it is not known which transfer is waited for}}
  mpi.wait(%first) : !mpi.request
  return
}

// Both waits may be for the same request.
// CHECK-LABEL: func.func @other_condition
// CHECK-NOT: mem.arena
// CHECK: return
func.func @other_condition(%x: memref<16xf32>, %p: i1, %q: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this 'mpi.isend'}}
  %r = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %r : !mpi.request
  %second = arith.select %q, %r, %s : !mpi.request
  // expected-warning @below {{mem-validate: @other_condition is not validated: it is not known which transfer is waited for}}
  mpi.wait(%first) : !mpi.request
  mpi.wait(%second) : !mpi.request
  return
}

// The condition is not followed into another block.
// CHECK-LABEL: func.func @in_two_blocks
// CHECK-NOT: mem.arena
// CHECK: return
func.func @in_two_blocks(%x: memref<16xf32>, %p: i1) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark @below {{allocation is not planned: it is used by a transfer that is not waited for on every path}}
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this 'mpi.isend'}}
  %r = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %r : !mpi.request
  mpi.wait(%first) : !mpi.request
  cf.br ^next
^next:
  %second = arith.select %p, %r, %s : !mpi.request
  mpi.wait(%second) : !mpi.request
  return
}

// A select of a request and itself is the request, and a loop may carry what was selected.
// CHECK-LABEL: func.func @carried
// CHECK: mem.arena "arena", 64
// CHECK: return
func.func @carried(%x: memref<16xf32>, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %first = arith.select %p, %s, %s : !mpi.request
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%r = %first) -> (!mpi.request) {
    scf.yield %r : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}
