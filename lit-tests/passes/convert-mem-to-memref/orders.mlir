// A transfer between layouts moves elements, not bytes: every lowering of transfers delivers
// the same elements. No engine performs a transfer that changes the order of elements.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=copy})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=dma})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=runtime})' | FileCheck %s
//
// If both layouts have the same order, an engine performs the transfer.
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=runtime})' | FileCheck %s --check-prefix=ENGINE
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref{transfers=dma})' | FileCheck %s --check-prefix=DMA

// CHECK-LABEL: func.func @between_orders(
// CHECK-NOT: mem_runtime_begin
// CHECK-NOT: dma_start
// CHECK: memref.copy {{.*}} : memref<64x64xf32{{.*}}> to memref<64x64xf32, strided<[1, 64]{{.*}}>>
// CHECK-NOT: mem_runtime_begin
// CHECK-NOT: dma_start
// CHECK: return
func.func @between_orders(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) {
  %l0 = mem.arena "l0", 16384 {alignment = 64 : i64} : !mem.arena
  %l1 = mem.arena "l1", 16384 {alignment = 64 : i64} : !mem.arena
  %a = mem.view %l0[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
  %bt = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32, strided<[1, 64]>>
  %br = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
  linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  mem.load %a to %bt : memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>
  memref.copy %bt, %out : memref<64x64xf32, strided<[1, 64]>> to memref<64x64xf32>
  memref.copy %br, %out2 : memref<64x64xf32> to memref<64x64xf32>
  return
}

// ENGINE-LABEL: func.func @in_one_order(
// ENGINE: call @mem_runtime_begin
// DMA-LABEL: func.func @in_one_order(
// DMA: memref.dma_start
func.func @in_one_order(%in: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %l1 = mem.arena "l1", 16384 {alignment = 64 : i64} : !mem.arena
  %b = mem.view %l1[0] {alignment = 4 : i64, name = "a"} : !mem.arena -> memref<64x64xf32>
  mem.load %in to %b : memref<64x64xf32> to memref<64x64xf32>
  memref.copy %b, %out : memref<64x64xf32> to memref<64x64xf32>
  return
}
