// An asynchronous operation accesses its operands until it is waited for. A plan that puts something
// else over them before that is wrong, even if the operation in between works in place.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-verify-plan)' --verify-diagnostics --split-input-file -o /dev/null

func.func @request(%x: memref<16xf32>, %y: memref<16xf32>) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this operation}}
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads 'a', over which 'b' may have been written}}
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

func.func @received(%x: memref<16xf32>, %y: memref<16xf32>) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %r = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{by this operation}}
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads 'a', over which 'b' may have been written}}
  mpi.wait(%r) : !mpi.request
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

func.func @not_awaited(%x: memref<16xf32>) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-error @below {{'a' is in an arena, but it is used by a transfer that is not waited for on every path}}
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  return
}

// -----

func.func @execute(%x: memref<16xf32>, %y: memref<16xf32>) {
  %arena = mem.arena "arena", 128 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %c = mem.view %arena[64] {name = "c"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %t = async.execute {
    memref.copy %a, %c : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // expected-note @below {{by this operation}}
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads 'a', over which 'b' may have been written}}
  async.await %t : !async.token
  linalg.add ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// Only one of the arms is wrong. The bytes are in use until the end of the branch.
func.func @arms(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  scf.if %p {
    mpi.wait(%s) : !mpi.request
  } else {
    // expected-note @below {{by this operation}}
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    // expected-error @below {{reads 'a', over which 'b' may have been written}}
    mpi.wait(%s) : !mpi.request
  }
  return
}

// -----

// After the wait, the bytes are free.
func.func @right(%x: memref<16xf32>, %y: memref<16xf32>) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// One of the paths writes over the bytes before the wait.
func.func @request_on_paths(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^yes, ^no
^yes:
  mpi.wait(%s) : !mpi.request
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.br ^join
^no:
  // expected-note @below {{by this operation}}
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads 'a', over which 'b' may have been written}}
  mpi.wait(%s) : !mpi.request
  cf.br ^join
^join:
  linalg.exp ins(%b : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

func.func @request_on_one_path(%x: memref<16xf32>, %p: i1) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-error @below {{'a' is in an arena, but it is used by a transfer that is not waited for on every path}}
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{by this 'mpi.isend'}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.cond_br %p, ^yes, ^no
^yes:
  mpi.wait(%s) : !mpi.request
  return
^no:
  return
}

// -----

// The wait of the next iteration ends the request, not the end of the iteration.
func.func @around(%x: memref<16xf32>, %n: index) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %first = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    // expected-note @below {{by this operation}}
    linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    // expected-error @below {{over which 'b' may have been written}}
    mpi.wait(%s) : !mpi.request
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    %next = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  mpi.wait(%last) : !mpi.request
  return
}

// -----

// After the loop, the request of its last iteration is in flight.
func.func @behind(%x: memref<16xf32>, %n: index) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[0] {name = "b"} : !mem.arena -> memref<16xf32>
  %first = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    %next = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  // expected-note @below {{by this operation}}
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{over which 'b' may have been written}}
  mpi.wait(%last) : !mpi.request
  return
}

// -----

// The last request is lost.
func.func @lost(%x: memref<16xf32>, %n: index) {
  %arena = mem.arena "arena", 64 : !mem.arena
  %c0 = arith.constant 0 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  // expected-error @below {{'a' is in an arena, but it is used by a transfer that is not waited for on every path}}
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  // expected-note @below {{by this 'mpi.irecv'}}
  %first = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last = scf.for %i = %c0 to %n step %n iter_args(%s = %first) -> (!mpi.request) {
    mpi.wait(%s) : !mpi.request
    %next = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  return
}
