// Descriptors of every layout. The first element is at the descriptor's offset. With a static layout
// offset of o, the pointer is o elements before the first element, so that the type is unchanged.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' | FileCheck %s

// CHECK-LABEL: func.func @layouts
func.func @layouts(%n: index) {
  // CHECK: %[[BYTES:.*]] = memref.alloc() : memref<512xi8>
  %arena = mem.arena "arena", 512 : !mem.arena
  %b = mem.view %arena[128] : !mem.arena -> !mem.buffer<256>
  // 128 + 64 - 4 * 4 bytes. The row consists of the 4 elements before the first one and the 12 of the tile.
  // CHECK: %[[AT:.*]] = arith.constant 176 : index
  // CHECK: %[[ROW:.*]] = memref.view %[[BYTES]][%[[AT]]][] : memref<512xi8> to memref<16xf32>
  // CHECK: memref.reinterpret_cast %[[ROW]] to offset: [4], sizes: [2, 4], strides: [8, 1]
  // CHECK-SAME: memref<16xf32> to memref<2x4xf32, strided<[8, 1], offset: 4>>
  %tile = mem.descriptor %b[64, 48] : !mem.buffer<256> -> memref<2x4xf32, strided<[8, 1], offset: 4>>
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [6, 4], strides: [1, 6]
  %transposed = mem.descriptor %b[0, 96] : !mem.buffer<256> -> memref<6x4xf32, strided<[1, 6]>>
  // A dynamic layout offset is 0: the pointer is at the first element.
  // CHECK: %[[AT:.*]] = arith.constant 160 : index
  // CHECK: %[[ROW:.*]] = memref.view %[[BYTES]][%[[AT]]][] : memref<512xi8> to memref<4xf32>
  // CHECK: memref.reinterpret_cast %[[ROW]] to offset: [%{{.*}}], sizes: [4], strides: [1]
  %open = mem.descriptor %b[32, 16] : !mem.buffer<256> -> memref<4xf32, strided<[1], offset: ?>>
  // CHECK: memref.view %{{.*}}[%{{.*}}][] : memref<512xi8> to memref<f32>
  %scalar = mem.descriptor %b[252, 4] : !mem.buffer<256> -> memref<f32>
  // CHECK: memref.view %{{.*}}[%{{.*}}][] : memref<512xi8> to memref<0x4xf32>
  %empty = mem.descriptor %b[256, 0] : !mem.buffer<256> -> memref<0x4xf32>
  mem.kernel "w" defines(%tile, %transposed, %open, %scalar, %empty : memref<2x4xf32, strided<[8, 1], offset: 4>>,
      memref<6x4xf32, strided<[1, 6]>>, memref<4xf32, strided<[1], offset: ?>>, memref<f32>, memref<0x4xf32>)
  return
}

// CHECK-LABEL: func.func @known_at_run_time
// CHECK-SAME: (%[[I:.*]]: index, %[[N:.*]]: index)
func.func @known_at_run_time(%i: index, %n: index) {
  // CHECK: %[[BYTES:.*]] = memref.alloc() : memref<512xi8>
  %arena = mem.arena "arena", 512 : !mem.arena
  %b = mem.view %arena[128] : !mem.arena -> !mem.buffer<256>
  // CHECK: %[[BASE:.*]] = arith.constant 128 : index
  // CHECK: %[[AT:.*]] = arith.addi %[[I]], %[[BASE]] : index
  // CHECK: memref.view %[[BYTES]][%[[AT]]][] : memref<512xi8> to memref<4xf32>
  %offset = mem.descriptor %b[%i, 16] : !mem.buffer<256> -> memref<4xf32>
  // CHECK: %[[SIXTEEN:.*]] = arith.constant 16 : index
  // CHECK: %[[ROWS:.*]] = arith.divui %[[N]], %[[SIXTEEN]] : index
  // CHECK: memref.view %[[BYTES]][%{{.*}}][%[[ROWS]]] : memref<512xi8> to memref<?x4xf32>
  %size = mem.descriptor %b[0, %n] : !mem.buffer<256> -> memref<?x4xf32>
  // CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 4], strides: [8, 1]
  %strided = mem.descriptor %b[%i, 48] : !mem.buffer<256> -> memref<2x4xf32, strided<[8, 1]>>
  mem.kernel "w" defines(%offset, %size, %strided : memref<4xf32>, memref<?x4xf32>, memref<2x4xf32, strided<[8, 1]>>)
  return
}
