// Two buffers receive in turns: every iteration starts the next message before it waits for the one before.
// Programs are proven equal by cases. A race in one of them is an error.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%s noalias-arguments=true})' -o %t 2>&1 | count 0
// RUN: sed 's/^ *\/\/ EARLY //' %s > %t-early.mlir
// RUN: not mem-opt %t-early.mlir --pass-pipeline='builtin.module(mem-validate{original=%s noalias-arguments=true})' -o %t 2>&1 | FileCheck %s --check-prefix=EARLY-READ
// RUN: sed '/\/\/ LAST$/d' %s > %t-lost.mlir
// RUN: not mem-opt %t-lost.mlir --pass-pipeline='builtin.module(mem-validate{original=%s noalias-arguments=true})' -o %t 2>&1 | FileCheck %s --check-prefix=LOST
// What is read before it has arrived, and the message that writes it: in the first iteration, and behind the
// loop.
// EARLY-READ: :[[#]]:{{.*}}: error: mem-validate: in @in_turns, bytes are read while a transfer writes them
// EARLY-READ-NEXT: linalg.exp ins(%full
// EARLY-READ: note: the transfer starts here
// EARLY-READ-NEXT: %first = mpi.irecv
// LOST: error: mem-validate: in @in_turns, bytes are read while a transfer writes them
// LOST-NEXT: linalg.exp ins(%of_last
// LOST: note: the transfer starts here
// LOST-NEXT: %next = mpi.irecv
func.func @in_turns(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %tag = arith.constant 0 : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %first = mpi.irecv(%a, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
  %last, %of_last, %other = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first, %full = %a, %free = %b)
      -> (!mpi.request, memref<16xf32>, memref<16xf32>) {
    %next = mpi.irecv(%free, %tag, %tag, %world) : memref<16xf32>, i32, i32 -> !mpi.request
    // EARLY linalg.exp ins(%full : memref<16xf32>) outs(%y : memref<16xf32>)
    mpi.wait(%s) : !mpi.request
    linalg.exp ins(%full : memref<16xf32>) outs(%y : memref<16xf32>)
    scf.yield %next, %free, %full : !mpi.request, memref<16xf32>, memref<16xf32>
  }
  mpi.wait(%last) : !mpi.request // LAST
  linalg.exp ins(%of_last : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
