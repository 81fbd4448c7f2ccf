// What is sent, received or reduced is planned as any other buffer: its bytes are in use until the
// exchange is over, which for a request is where it is waited for.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' --verify-diagnostics | FileCheck %s

// The sent bytes are free after the call, and the reduction's operands are apart.
// CHECK-LABEL: func.func @blocking
func.func @blocking(%x: memref<16xf32>, %y: memref<16xf32>) {
  // CHECK: mem.arena "arena", 128
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  // CHECK: mem.view %arena[0] {{.*}}"buf0"
  %a = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[0] {{.*}}"buf1"
  %b = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[64] {{.*}}"buf2"
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  mpi.send(%a, %tag, %peer, %world) : memref<16xf32>, i32, i32
  %status = mpi.recv(%b, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.retval
  mpi.allreduce(%b, %c, MPI_SUM, %world) : memref<16xf32>, memref<16xf32>
  linalg.exp ins(%c : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Sent and received bytes are in use until the waits; only then is "buf3" written.
// CHECK-LABEL: func.func @requests
func.func @requests(%x: memref<16xf32>, %y: memref<16xf32>) {
  // CHECK: mem.arena "arena", 192
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  // CHECK: mem.view %arena[0] {{.*}}"buf0"
  %a = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[64] {{.*}}"buf1"
  %b = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[128] {{.*}}"buf2"
  %c = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[0] {{.*}}"buf3"
  %d = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %status, %r = mpi.irecv(%b, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.retval, !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%c : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%c : memref<16xf32>) outs(%d : memref<16xf32>)
  mpi.wait(%r) : !mpi.request
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (15 - i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b, %c, %d : memref<16xf32>, memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%p: f32, %q: f32, %u: f32, %o: f32):
    %v = arith.addf %p, %q : f32
    %w = arith.addf %v, %u : f32
    linalg.yield %w : f32
  }
  return
}

// Both arms wait: the sent bytes are in use until the end of the branch, and "buf1", which is written
// in it, is elsewhere. "buf2" is written after it.
// CHECK-LABEL: func.func @waits_in_arms
func.func @waits_in_arms(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  // CHECK: mem.arena "arena", 128
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // CHECK: mem.view %arena[0] {{.*}}"buf0"
  %a = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[64] {{.*}}"buf1"
  %b = memref.alloc() : memref<16xf32>
  // CHECK: mem.view %arena[0] {{.*}}"buf2"
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  } else {
    linalg.tanh ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    mpi.wait(%s) : !mpi.request
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (15 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  }
  return
}

// The bytes of a request stay where they are in a loop, too.
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%x: memref<16xf32>, %y: memref<16xf32>) {
  // CHECK: mem.arena "arena", 192
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  %own = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%own : memref<16xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %next = memref.alloc() : memref<16xf32>
    %work = memref.alloc() : memref<16xf32>
    %r = mpi.irecv(%next, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    %s = mpi.isend(%own, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    linalg.exp ins(%own : memref<16xf32>) outs(%work : memref<16xf32>)
    mpi.wait(%s) : !mpi.request
    mpi.wait(%r) : !mpi.request
    linalg.mul ins(%work, %next : memref<16xf32>, memref<16xf32>) outs(%own : memref<16xf32>)
  }
  memref.copy %own, %y : memref<16xf32> to memref<16xf32>
  return
}

// Which rank receives is decided at run time: both arms have the same addresses on all ranks.
// CHECK-LABEL: func.func @by_rank
func.func @by_rank(%x: memref<16xf32>, %y: memref<16xf32>) {
  // CHECK: mem.arena "arena", 64
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %first = arith.cmpi eq, %rank, %zero : i32
  scf.if %first {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    mpi.send(%a, %zero, %one, %world) : memref<16xf32>, i32, i32
  } else {
    %b = memref.alloc() : memref<16xf32>
    mpi.recv(%b, %zero, %zero, %world) : memref<16xf32>, i32, i32
    linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  }
  mpi.barrier(%world)
  return
}
