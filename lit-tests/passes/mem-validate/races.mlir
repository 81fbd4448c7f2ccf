// Transfers that have been lowered to DMA or to calls of the runtime library move bytes until they are
// waited for. Each function but the first two uses the bytes too early, or does not wait. Every mistake is found.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/copies.mlir})' -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=accepted

func.func private @mem_runtime_begin(i32, index, index, i64) -> i64
func.func private @mem_runtime_wait(i64)

func.func @accepted_dma(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %tags[%c0], %c16 : memref<1xi32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

func.func @accepted_calls(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i64
  %a = memref.alloc() : memref<16xf32>
  %from = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  call @mem_runtime_wait(%t) : (i64) -> ()
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

// CHECK: races.mlir:[[#@LINE+9]]:{{.*}} error: mem-validate: in @no_wait, bytes are written while a transfer writes them
// CHECK: races.mlir:[[#@LINE+7]]:{{.*}} note: the transfer starts here
func.func @no_wait(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  // Nothing waits, and the storage is used for something else.
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  return
}

// CHECK: races.mlir:[[#@LINE+8]]:{{.*}} error: mem-validate: in @no_wait_for_call, a transfer is in flight when the function returns
func.func @no_wait_for_call(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i64
  %a = memref.alloc() : memref<16xf32>
  %from = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  return
}

// CHECK: error: mem-validate: in @late_wait, bytes are read while a transfer writes them
func.func @late_wait(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dma_wait %tags[%c0], %c16 : memref<1xi32>
  return
}

// CHECK: error: mem-validate: in @late_wait_for_call, bytes are read while a transfer writes them
func.func @late_wait_for_call(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i64
  %a = memref.alloc() : memref<16xf32>
  %from = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  call @mem_runtime_wait(%t) : (i64) -> ()
  return
}

// A single element is read.
// CHECK: error: mem-validate: in @read_in_flight, bytes are read while a transfer writes them
func.func @read_in_flight(%x: memref<16xf32>, %y: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.dma_wait %tags[%c0], %c16 : memref<1xi32>
  return %v : f32
}

// CHECK: error: mem-validate: in @source_overwritten, bytes are written while a transfer reads them
func.func @source_overwritten(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i64
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %from = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  linalg.tanh ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  call @mem_runtime_wait(%t) : (i64) -> ()
  return
}

// CHECK: error: mem-validate: in @freed_in_flight, storage is freed while a transfer accesses it
func.func @freed_in_flight(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dealloc %a : memref<16xf32>
  memref.dma_wait %tags[%c0], %c16 : memref<1xi32>
  return
}

// The following cannot be matched: nothing is known of the behavior.
// CHECK: warning: mem-validate: @awaited_on_one_path is not validated: a transfer is in flight when the function returns
func.func @awaited_on_one_path(%x: memref<16xf32>, %y: memref<16xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  scf.if %p {
    memref.dma_wait %tags[%c0], %c16 : memref<1xi32>
  }
  return
}

// CHECK: warning: mem-validate: @other_tag is not validated: no transfer with this tag is certain to be in flight
func.func @other_tag(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<2xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tags[%c1], %c16 : memref<2xi32>
  return
}

// CHECK: warning: mem-validate: @other_ticket is not validated: it is not known which transfer is waited for
func.func @other_ticket(%x: memref<16xf32>, %y: memref<16xf32>, %t: i64) {
  call @mem_runtime_wait(%t) : (i64) -> ()
  return
}

// CHECK: :[[#@LINE+17]]:{{.*}}: error: mem-validate: in @started_again, bytes are written while a transfer writes them
// CHECK-NEXT: %next
func.func @started_again(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c0_i32 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i64
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  %from = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  %next_to = memref.extract_aligned_pointer_as_index %c : memref<16xf32> -> index
  %first = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  // From the second iteration on, the transfer of the previous one is in flight.
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %first) -> (i64) {
    %next = func.call @mem_runtime_begin(%c0_i32, %from, %next_to, %c64) : (i32, index, index, i64) -> i64
    func.call @mem_runtime_wait(%old) : (i64) -> ()
    scf.yield %next : i64
  }
  call @mem_runtime_wait(%last) : (i64) -> ()
  return
}

// CHECK: warning: mem-validate: @part is not validated: a DMA is strided, starts within its operands, or has a size known at run time
func.func @part(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c8], %a[%c0], %c8, %tags[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %tags[%c0], %c8 : memref<1xi32>
  return
}

// CHECK: warning: mem-validate: @strided is not validated: a DMA is strided, starts within its operands, or has a size known at run time
func.func @strided(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %tags = memref.alloc() : memref<1xi32>
  %a = memref.alloc() : memref<16xf32>
  memref.dma_start %x[%c0], %a[%c0], %c16, %tags[%c0], %c4, %c2 : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %tags[%c0], %c16 : memref<1xi32>
  return
}

// CHECK: warning: mem-validate: @too_few_bytes is not validated: a transfer moves other bytes than those of its operands
func.func @too_few_bytes(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c60 = arith.constant 60 : i64
  %a = memref.alloc() : memref<16xf32>
  %from = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %to = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c60) : (i32, index, index, i64) -> i64
  call @mem_runtime_wait(%t) : (i64) -> ()
  return
}

// The address is not that of the first element.
// CHECK: warning: mem-validate: @other_address is not validated: a transfer has an address or a size known only at run time
func.func @other_address(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0_i32 = arith.constant 0 : i32
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : i64
  %a = memref.alloc() : memref<16xf32>
  %first = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
  %from = arith.addi %first, %c4 : index
  %to = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %t = call @mem_runtime_begin(%c0_i32, %from, %to, %c64) : (i32, index, index, i64) -> i64
  call @mem_runtime_wait(%t) : (i64) -> ()
  return
}
