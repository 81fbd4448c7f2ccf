// Every operation becomes a call of the function with its name in C.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-mpi)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' -o %t.mlir
// RUN: FileCheck %s --check-prefix=LLVM < %t.mlir

// LLVM-NOT: mpi.
// LLVM: llvm.mlir.global external @ompi_mpi_op_sum()
// LLVM-NOT: mpi.

// CHECK-DAG: func.func private @MPI_Init(i64, i64) -> i32
// CHECK-DAG: func.func private @MPI_Isend(i64, i32, i64, i32, i32, i64, i64) -> i32
// CHECK-DAG: memref.global @ompi_mpi_comm_world : memref<1xi8>

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[A:.*]]: memref<2x3xf32>, %[[B:.*]]: memref<2x3xf32>
func.func @all(%a: memref<2x3xf32>, %b: memref<2x3xf32>, %h: memref<4xf16>) -> (i32, i1) {
  // CHECK-DAG: %[[HANDLE:.*]] = memref.alloca() : memref<1xi64>
  // CHECK-DAG: %[[NUMBER:.*]] = memref.alloca() : memref<1xi32>
  %tag = arith.constant 7 : i32
  // CHECK: call @MPI_Init(%{{.*}}, %{{.*}})
  mpi.init
  // CHECK: memref.get_global @ompi_mpi_comm_world
  %world = mpi.comm_world : !mpi.comm
  // CHECK: call @MPI_Comm_rank(
  // CHECK: memref.load %[[NUMBER]]
  %rank = mpi.comm_rank(%world) : i32
  // CHECK: call @MPI_Comm_size(
  %size = mpi.comm_size(%world) : i32
  // CHECK: call @MPI_Comm_split(%{{.*}}, %[[C7:.*]], %{{.*}}, %{{.*}}) : (i64, i32, i32, i64) -> i32
  // CHECK: %[[COMM:.*]] = memref.load %[[HANDLE]]{{.*}} : memref<1xi64>
  %comm = mpi.comm_split(%world, %tag, %rank) : !mpi.comm
  // All elements, not those of the first dimension only; the other rank comes before the tag.
  // CHECK: %[[SIX:.*]] = arith.constant 6 : i32
  // CHECK: call @MPI_Send(%{{.*}}, %[[SIX]], %{{.*}}, %{{.*}}, %[[C7]], %[[COMM]])
  %status = mpi.send(%a, %tag, %rank, %comm) : memref<2x3xf32>, i32, i32 -> !mpi.retval
  // CHECK: arith.cmpi eq
  %ok = mpi.retval_check %status = <MPI_SUCCESS> : i1
  // CHECK: call @MPI_Recv(
  mpi.recv(%b, %tag, %rank, %comm) : memref<2x3xf32>, i32, i32
  // Elements without a type of their own are bytes.
  // CHECK: %[[EIGHT:.*]] = arith.constant 8 : i32
  // CHECK: memref.get_global @ompi_mpi_byte
  // CHECK: call @MPI_Isend(%{{.*}}, %[[EIGHT]],
  // CHECK: %[[REQUEST:.*]] = memref.load %[[HANDLE]]
  %s = mpi.isend(%h, %tag, %rank, %comm) : memref<4xf16>, i32, i32 -> !mpi.request
  // CHECK: call @MPI_Irecv(
  %started, %r = mpi.irecv(%b, %tag, %rank, %comm) : memref<2x3xf32>, i32, i32 -> !mpi.retval, !mpi.request
  // CHECK: memref.store %[[REQUEST]], %[[HANDLE]]
  // CHECK: call @MPI_Wait(
  mpi.wait(%s) : !mpi.request
  // CHECK: call @MPI_Wait(
  mpi.wait(%r) : !mpi.request
  // Equal operands are passed as MPI_IN_PLACE.
  // CHECK: %[[SAME:.*]] = arith.cmpi eq
  // CHECK: arith.select %[[SAME]]
  // CHECK: memref.get_global @ompi_mpi_float
  // CHECK: memref.get_global @ompi_mpi_op_sum
  // CHECK: call @MPI_Allreduce(
  mpi.allreduce(%a, %b, MPI_SUM, %comm) : memref<2x3xf32>, memref<2x3xf32>
  // CHECK: call @MPI_Barrier(
  mpi.barrier(%comm)
  // CHECK: call @MPI_Finalize()
  mpi.finalize
  return %size, %ok : i32, i1
}

// A part is passed by the address of its first element.
// CHECK-LABEL: func.func @part
func.func @part(%a: memref<8x4xf32>) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %v = memref.subview %a[2, 0] [3, 4] [1, 1] : memref<8x4xf32> to memref<3x4xf32, strided<[4, 1], offset: 8>>
  // CHECK: %[[BYTES:.*]] = arith.constant 32 : i64
  // CHECK: arith.addi %{{.*}}, %[[BYTES]] : i64
  // CHECK: arith.constant 12 : i32
  mpi.send(%v, %tag, %tag, %world) : memref<3x4xf32, strided<[4, 1], offset: 8>>, i32, i32
  return
}
