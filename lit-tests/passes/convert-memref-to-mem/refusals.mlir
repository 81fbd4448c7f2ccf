// Allocations that cannot be converted are unchanged, and a remark names the reason and the responsible
// operation. Every case is valid MLIR in which bytes of an arena in place of the allocation would be
// wrong: other code may access or free the bytes after another buffer has reused them.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --split-input-file \
// RUN:   --verify-diagnostics --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%sizes: memref<4xindex>, %v: f32) {
  %first = memref.alloc() : memref<4xindex>
  memref.copy %sizes, %first : memref<4xindex> to memref<4xindex>
  %c0 = arith.constant 0 : index
  %n = memref.load %first[%c0] : memref<4xindex>
  // expected-remark @+1 {{allocation is not planned: its size is not known before buffers are needed}}
  %a = memref.alloc(%n) : memref<?xf32>
  // CHECK: memref.alloc(
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  // CHECK: memref.dealloc
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @returned
func.func @returned() -> memref<4xf32> {
  // CHECK: memref.alloc()
  // expected-remark @+1 {{allocation is not planned: its address is returned}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.return'}}
  return %a : memref<4xf32>
}

// -----

// Returning a view is equivalent to returning the buffer.
func.func @returned_view(%n: index) -> memref<?xf32, strided<[1], offset: 2>> {
  // expected-remark @+1 {{allocation is not planned: its address is returned}}
  %a = memref.alloc() : memref<8xf32>
  %s = memref.subview %a[2] [%n] [1] : memref<8xf32> to memref<?xf32, strided<[1], offset: 2>>
  // expected-note @+1 {{by this 'func.return'}}
  return %s : memref<?xf32, strided<[1], offset: 2>>
}

// -----

func.func @stored(%table: memref<4xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{allocation is not planned: its address may be stored}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'memref.store'}}
  memref.store %a, %table[%c0] : memref<4xmemref<4xf32>>
  return
}

// -----

func.func @table_of_memrefs() {
  // expected-remark @+1 {{allocation is not planned: its element type has no size known here}}
  %a = memref.alloc() : memref<4xmemref<4xf32>>
  return
}

// -----

// LLVM packs these rows and MLIR's data layout does not, or the number of elements is unknown.
func.func @odd_vectors() {
  // expected-remark @+1 {{allocation is not planned: its element type has no size known here}}
  %a = memref.alloc() : memref<5xvector<3x5xf32>>
  // expected-remark @+1 {{allocation is not planned: its element type has no size known here}}
  %b = memref.alloc() : memref<5xvector<3xi1>>
  // expected-remark @+1 {{allocation is not planned: its element type has no size known here}}
  %c = memref.alloc() : memref<5xvector<[4]xf32>>
  return
}

// -----

func.func private @external(memref<4xf32>)
func.func @passed_to_unknown() {
  // expected-remark @+1 {{allocation is not planned: it is passed to @external, which may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.call'}}
  call @external(%a) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @passed_to_anybody(%f: (memref<4xf32>) -> ()) {
  // expected-remark @+1 {{it is passed to a callee that is known only at run time, which may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.call_indirect'}}
  call_indirect %f(%a) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @again(%a: memref<4xf32>, %c: i1) {
  scf.if %c {
    func.call @again(%a, %c) : (memref<4xf32>, i1) -> ()
  }
  return
}
func.func @passed_to_recursion(%c: i1) {
  // expected-remark @+1 {{it is passed to @again, which may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.call'}}
  call @again(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}

// -----

// The callee passes its argument on.
func.func private @external(memref<4xf32>)
func.func private @middle(%a: memref<4xf32>) {
  call @external(%a) : (memref<4xf32>) -> ()
  return
}
func.func @passed_on() {
  // expected-remark @+1 {{it is passed to @middle, which does not keep it to itself}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.call'}}
  call @middle(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// The callee frees its argument, and bytes of an arena must not be freed.
func.func private @consume(%a: memref<4xf32>) {
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @freed_by_callee() {
  // expected-remark @+1 {{it is passed to @consume, which does not keep it to itself}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.call'}}
  call @consume(%a) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @unknown_operation() {
  // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'test.unknown'}}
  "test.unknown"(%a) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @inside_unknown_operation() {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{it is used inside an operation with unknown effects}}
  %a = memref.alloc() : memref<4xf32>
  "test.unknown"() ({
    // expected-note @+1 {{by this 'memref.load'}}
    %x = memref.load %a[%c0] : memref<4xf32>
  }) : () -> ()
  return
}

// -----

func.func @address_arithmetic() -> index {
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{its address is turned into a number}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'memref.extract_aligned_pointer_as_index'}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %q = arith.addi %p, %c64 : index
  return %q : index
}

// -----

// Also inside a concurrent loop.
func.func @address_in_parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{its address is turned into a number}}
  %a = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-note @+1 {{by this 'memref.extract_aligned_pointer_as_index'}}
    %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
    "test.number"(%p) : (index) -> ()
  }
  return
}

// -----

// An address may only be compared. An address in memory that is visible to the caller escapes.
func.func @address_in_an_argument(%table: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{its address is turned into a number}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'memref.extract_aligned_pointer_as_index'}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  memref.store %p, %table[%c0] : memref<1xindex>
  return
}

// -----

func.func @cast_to_number() {
  // expected-remark @+1 {{its address may be turned into a number}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'builtin.unrealized_conversion_cast'}}
  %p = builtin.unrealized_conversion_cast %a : memref<4xf32> to index
  return
}

// -----

func.func @other_layout() {
  // expected-remark @+1 {{its layout is not the identity}}
  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @other_space() {
  // expected-remark @+1 {{it is in a memory space of its own}}
  %a = memref.alloc() : memref<4xf32, 3>
  return
}

// -----

func.func @alignment_of_two_mebibytes() {
  // expected-remark @+1 {{its alignment of 2097152 bytes is above 1 MiB}}
  %a = memref.alloc() {alignment = 2097152 : i64} : memref<4xf32>
  return
}

// -----

func.func @realloc() {
  // expected-remark @+1 {{it is freed by an operation other than memref.dealloc}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'memref.realloc'}}
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @tensor() {
  // expected-remark @+1 {{another value that may hold its address is made from it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'bufferization.to_tensor'}}
  %t = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  return
}

// -----

// The deallocation may free either buffer. One of them is not planned, so the other must not be planned either.
func.func @freed_with_another(%c: i1, %size: memref<index>) {
  // expected-remark @+1 {{it is freed by an operation that may free storage which is not planned}}
  %a = memref.alloc() : memref<4xf32>
  %n = memref.load %size[] : memref<index>
  // expected-remark @+1 {{its size is not known before buffers are needed}}
  %b = memref.alloc(%n) : memref<?xf32>
  %d = memref.cast %a : memref<4xf32> to memref<?xf32>
  %s = arith.select %c, %d, %b : memref<?xf32>
  // expected-note @+1 {{by this 'memref.dealloc'}}
  memref.dealloc %s : memref<?xf32>
  return
}

// -----

// The DMA may still be in flight when the next operation runs.
func.func @dma(%far: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-remark @+1 {{it is accessed by an operation that may still run when the next one starts}}
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @+1 {{it is accessed by an operation that may still run when the next one starts}}
  %tag = memref.alloc() : memref<1xi32>
  // expected-note @+1 {{by this 'affine.dma_start'}}
  affine.dma_start %a[%c0], %far[%c0], %tag[%c0], %c4 : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  affine.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}

// -----

func.func @async(%out: memref<4xf32>) -> !async.token {
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    // expected-note @+1 {{by this 'memref.copy'}}
    memref.copy %a, %out : memref<4xf32> to memref<4xf32>
    async.yield
  }
  return %t : !async.token
}

// -----

// Only one of two paths waits.
func.func @async_in_a_branch(%c: i1, %out: memref<4xf32>) {
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    // expected-note @+1 {{by this 'memref.copy'}}
    memref.copy %a, %out : memref<4xf32> to memref<4xf32>
    async.yield
  }
  scf.if %c {
    async.await %t : !async.token
  }
  return
}

// -----

// The result may be accessed at any later time.
func.func @async_result(%out: memref<4xf32>) {
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t, %r = async.execute -> !async.value<memref<4xf32>> {
    // expected-note @+1 {{by this 'async.yield'}}
    async.yield %a : memref<4xf32>
  }
  async.await %t : !async.token
  return
}

// -----

func.func @gpu_async(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-note @+1 {{by this 'memref.load'}}
    %x = memref.load %a[%c0] : memref<4xf32>
    memref.store %x, %out[%c0] : memref<4xf32>
    gpu.terminator
  }
  %later = gpu.wait async [%t]
  return
}

// -----

// An unknown terminator may forward its operands.
func.func @unknown_branch() {
  // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'test.branch'}}
  "test.branch"(%a)[^next] : (memref<4xf32>) -> ()
^next:
  return
}
