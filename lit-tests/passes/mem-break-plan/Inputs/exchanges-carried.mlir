// Requests that loops and branches carry to another place than the one in which they start.

// Every iteration waits for the message of the one before, and the last one is waited for after the loop.
func.func @around(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %peer = arith.constant 1 : i32
  %sent = memref.alloc() : memref<16xf32>
  %received = memref.alloc() : memref<16xf32>
  %work = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%sent : memref<16xf32>)
  %s0 = mpi.isend(%sent, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %r0 = mpi.irecv(%received, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %s2, %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %s0, %r = %r0) -> (!mpi.request, !mpi.request) {
    linalg.tanh ins(%x : memref<16xf32>) outs(%work : memref<16xf32>)
    mpi.wait(%s) : !mpi.request
    mpi.wait(%r) : !mpi.request
    linalg.mul ins(%received, %work : memref<16xf32>, memref<16xf32>) outs(%sent : memref<16xf32>)
    linalg.add ins(%sent, %received : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
    %s1 = mpi.isend(%sent, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    %r1 = mpi.irecv(%received, %tag, %peer, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %s1, %r1 : !mpi.request, !mpi.request
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%work : memref<16xf32>)
  mpi.wait(%s2) : !mpi.request
  mpi.wait(%r2) : !mpi.request
  linalg.mul ins(%received, %work : memref<16xf32>, memref<16xf32>) outs(%sent : memref<16xf32>)
  linalg.add ins(%sent, %received : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

// Blocks pass the request on, through a branch and around a loop.
func.func @blocks(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %rank = mpi.comm_rank(%world) : i32
  %p = arith.cmpi eq, %rank, %tag : i32
  %received = memref.alloc() : memref<16xf32>
  %work = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  %first = mpi.irecv(%received, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  cf.br ^head(%c0, %first : index, !mpi.request)
^head(%i: index, %r: !mpi.request):
  linalg.exp ins(%x : memref<16xf32>) outs(%work : memref<16xf32>)
  mpi.wait(%r) : !mpi.request
  linalg.add ins(%received, %work : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  mpi.send(%y, %tag, %tag, %world) : memref<16xf32>, i32, i32
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %next = mpi.irecv(%received, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %next : index, !mpi.request)
^exit:
  return
}

// Either arm sends from a buffer of its own.
func.func @arms(%x: memref<16xf32>, %y: memref<16xf32>) {
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %rank = mpi.comm_rank(%world) : i32
  %p = arith.cmpi eq, %rank, %tag : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %work = memref.alloc() : memref<16xf32>
  %s = scf.if %p -> (!mpi.request) {
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    %of_a = mpi.isend(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %of_a : !mpi.request
  } else {
    linalg.tanh ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
    %of_b = mpi.isend(%b, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    scf.yield %of_b : !mpi.request
  }
  linalg.exp ins(%x : memref<16xf32>) outs(%work : memref<16xf32>)
  mpi.wait(%s) : !mpi.request
  linalg.mul ins(%x, %work : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.add ins(%work, %a : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
