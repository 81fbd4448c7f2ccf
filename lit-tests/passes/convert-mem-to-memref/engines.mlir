// Transfers between levels that an engine connects become DMA operations with numbered tags, or calls
// of the runtime library. Other transfers, and transfers that are not contiguous, become copies.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=dma})' \
// RUN:   | FileCheck %s --check-prefix=DMA --implicit-check-not=mem. --implicit-check-not=mem_runtime
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=runtime})' \
// RUN:   | FileCheck %s --check-prefix=CALL --implicit-check-not=mem. --implicit-check-not=dma
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' \
// RUN:   | FileCheck %s --check-prefix=COPY --implicit-check-not=mem_runtime --implicit-check-not=dma
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=telepathy})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAME

// NAME: error: convert-mem-to-memref: unknown value 'telepathy' for option 'transfers': expected copy, dma or runtime

#h = #mem.hierarchy<
  #mem.level<"sram", capacity = 1024>, #mem.level<"dram">,
  engines = [#mem.engine<"in", "dram" to "sram">, #mem.engine<"out", "sram" to "dram">]>
module attributes {mem.hierarchy = #h} {

// CALL-DAG: func.func private @mem_runtime_begin(i32, index, index, i64) -> i64
// CALL-DAG: func.func private @mem_runtime_wait(i64)

// DMA-LABEL: func.func @transfers
// DMA-SAME: (%[[X:.*]]: memref<16xf32>, %[[Y:.*]]: memref<16xf32>)
// CALL-LABEL: func.func @transfers
// CALL-SAME: (%[[X:.*]]: memref<16xf32>, %[[Y:.*]]: memref<16xf32>)
// COPY-LABEL: func.func @transfers
func.func @transfers(%x: memref<16xf32>, %y: memref<16xf32>) {
  // At most two transfers are in flight at once.
  // DMA: %[[TAGS:.*]] = memref.alloc() : memref<2xi32>
  %arena = mem.arena "sram", 128 : !mem.arena
  %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<16xf32>
  %b = mem.view %arena[64] {name = "b"} : !mem.arena -> memref<4x4xf32>
  %bv = memref.collapse_shape %b [[0, 1]] : memref<4x4xf32> into memref<16xf32>

  // DMA: memref.dma_start %[[X]][{{.*}}], %[[A:.*]][{{.*}}], %c16{{.*}}, %[[TAGS]][%c0{{.*}}] : memref<16xf32>, memref<16xf32>, memref<2xi32>
  // DMA: memref.dma_wait %[[TAGS]][%c0{{.*}}], %c16
  // CALL: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
  // CALL: %[[TO:.*]] = memref.extract_aligned_pointer_as_index
  // CALL: %[[T:.*]] = call @mem_runtime_begin(%c0_i32, %[[FROM]], %[[TO]], %c64_i64)
  // CALL: call @mem_runtime_wait(%[[T]])
  // COPY: memref.copy
  %t = mem.load async %x to %a : memref<16xf32> to memref<16xf32>
  mem.wait %t

  // No engine copies within a level.
  // DMA: memref.copy
  // CALL: memref.copy
  // COPY: memref.copy
  mem.move %a to %bv : memref<16xf32> to memref<16xf32>

  // The wait releases the tag.
  // DMA: memref.dma_start %{{.*}}[{{.*}}], %[[Y]][{{.*}}], %c16{{.*}}, %[[TAGS]][%c0{{.*}}]
  // CALL: %[[U:.*]] = call @mem_runtime_begin(%c1_i32,
  // COPY: memref.copy
  %u = mem.store async %bv to %y : memref<16xf32> to memref<16xf32>

  // A synchronous transfer is waited for immediately. The source offset is added to the address.
  // DMA: memref.dma_start {{.*}}, %c8{{.*}}, %[[TAGS]][%c1{{.*}}]
  // DMA-NEXT: %[[ONE:.*]] = arith.constant 1 : index
  // DMA: memref.dma_wait %[[TAGS]][%[[ONE]]], %c8
  // CALL: %[[P:.*]] = memref.extract_aligned_pointer_as_index
  // CALL: %[[AT:.*]] = arith.addi %[[P]], %c32
  // CALL: %[[V:.*]] = call @mem_runtime_begin(%c0_i32{{.*}}, %[[AT]], %{{.*}}, %c32_i64)
  // CALL: call @mem_runtime_wait(%[[V]])
  // COPY: memref.copy
  %p = memref.subview %x[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  %q = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  mem.load %p to %q : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32, strided<[1]>>

  // DMA: memref.copy
  // CALL: memref.copy
  // COPY: memref.copy
  %r = memref.subview %x[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
  %w = mem.load async %r to %q : memref<8xf32, strided<[2]>> to memref<8xf32, strided<[1]>>

  // DMA: memref.dma_wait %[[TAGS]][%c0{{.*}}], %c16
  // DMA: memref.dealloc %[[TAGS]]
  // CALL: call @mem_runtime_wait(%[[U]])
  mem.wait %u, %w
  return
}
}
