// What the library cannot be given is an error, and nothing is lowered.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-mpi)' --verify-diagnostics --split-input-file -o /dev/null

func.func @strided(%a: memref<8x4xf32>) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %v = memref.subview %a[0, 0] [8, 2] [1, 1] : memref<8x4xf32> to memref<8x2xf32, strided<[4, 1]>>
  // expected-error @below {{mem-lower-mpi: an operand of type memref<8x2xf32, strided<[4, 1]>> is not contiguous}}
  mpi.send(%v, %tag, %tag, %world) : memref<8x2xf32, strided<[4, 1]>>, i32, i32
  return
}

// -----

// The strides of a transposed view add up to the same span.
func.func @transposed(%a: memref<8x4xf32>) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %v = memref.transpose %a (i, j) -> (j, i) : memref<8x4xf32> to memref<4x8xf32, strided<[1, 4]>>
  // expected-error @below {{mem-lower-mpi: an operand of type memref<4x8xf32, strided<[1, 4]>> is not in row-major order}}
  mpi.send(%v, %tag, %tag, %world) : memref<4x8xf32, strided<[1, 4]>>, i32, i32
  return
}

// -----

func.func @run_time(%a: memref<?xf32>) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{mem-lower-mpi: an operand of type memref<?xf32> has a size known only at run time}}
  mpi.send(%a, %tag, %tag, %world) : memref<?xf32>, i32, i32
  return
}

// -----

func.func @half(%a: memref<4xf16>, %b: memref<4xf16>) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{mem-lower-mpi: an operand of type memref<4xf16> has elements that cannot be reduced}}
  mpi.allreduce(%a, %b, MPI_SUM, %world) : memref<4xf16>, memref<4xf16>
  return
}

// -----

func.func @sizes(%a: memref<4xf32>, %b: memref<3xf32>) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{mem-lower-mpi: the operands of a reduction have different elements}}
  mpi.allreduce(%a, %b, MPI_SUM, %world) : memref<4xf32>, memref<3xf32>
  return
}

// -----

func.func private @keep(!mpi.request)
func.func @passed_on(%a: memref<4xf32>) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  // expected-note @below {{it is defined here}}
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  // expected-error @below {{mem-lower-mpi: a value of type !mpi.request is passed on: expected uses in operations of mpi}}
  call @keep(%s) : (!mpi.request) -> ()
  return
}

// -----

func.func @from_outside(%s: !mpi.request) {
  // expected-error @below {{mem-lower-mpi: a value of type !mpi.request comes from outside: expected a result of an operation of mpi}}
  mpi.wait(%s) : !mpi.request
  return
}

// -----

// A request is carried by loops, branches and selects only.
func.func private @keep(%s: !mpi.request)
func.func @selected(%a: memref<4xf32>, %p: i1) {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  // expected-note @below {{it is defined here}}
  %r = arith.select %p, %s, %s : !mpi.request
  // expected-error @below {{mem-lower-mpi: a value of type !mpi.request is passed on: expected uses in operations of mpi}}
  call @keep(%r) : (!mpi.request) -> ()
  return
}

// -----

func.func @returned(%a: memref<4xf32>, %p: i1) -> !mpi.request {
  %tag = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %s = mpi.isend(%a, %tag, %tag, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  cf.br ^next(%s : !mpi.request)
// expected-note @below {{it is defined here}}
^next(%r: !mpi.request):
  // expected-error @below {{mem-lower-mpi: a value of type !mpi.request is passed on: expected uses in operations of mpi}}
  return %r : !mpi.request
}
