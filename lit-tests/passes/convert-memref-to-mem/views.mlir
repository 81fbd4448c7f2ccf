// Views of known bytes become exact descriptors; other views become views of a descriptor.
// Offsets are error-prone: a layout's offset is relative to the pointer, which only
// memref.view moves, and strides make a view span more bytes than its elements occupy.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' | FileCheck %s

// CHECK-LABEL: func.func @subview
func.func @subview(%v: f32) {
  // CHECK: %[[B:.*]] = mem.buffer {{.*}} : !mem.buffer<256>
  %a = memref.alloc() : memref<8x8xf32>
  // Row 2 from column 4: an offset of 80 bytes. The last row ends before the end of the buffer.
  // CHECK: mem.descriptor %[[B]][80, 48] : !mem.buffer<256> -> memref<2x4xf32, strided<[8, 1], offset: 20>>
  %s = memref.subview %a[2, 4] [2, 4] [1, 1] : memref<8x8xf32> to memref<2x4xf32, strided<[8, 1], offset: 20>>
  linalg.fill ins(%v : f32) outs(%s : memref<2x4xf32, strided<[8, 1], offset: 20>>)
  // A view of the view: offsets are relative to the buffer.
  // CHECK: mem.descriptor %[[B]][116, 4] : !mem.buffer<256> -> memref<1x1xf32, strided<[8, 1], offset: 29>>
  %t = memref.subview %s[1, 1] [1, 1] [1, 1] : memref<2x4xf32, strided<[8, 1], offset: 20>> to memref<1x1xf32, strided<[8, 1], offset: 29>>
  linalg.fill ins(%v : f32) outs(%t : memref<1x1xf32, strided<[8, 1], offset: 29>>)
  // Every other column.
  // CHECK: mem.descriptor %[[B]][0, 252] : !mem.buffer<256> -> memref<8x4xf32, strided<[8, 2]>>
  %u = memref.subview %a[0, 0] [8, 4] [1, 2] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 2]>>
  linalg.fill ins(%v : f32) outs(%u : memref<8x4xf32, strided<[8, 2]>>)
  return
}

// CHECK-LABEL: func.func @subview_at_run_time
func.func @subview_at_run_time(%i: index, %n: index, %v: f32) {
  // CHECK: %[[D:.*]] = mem.descriptor %{{.*}}[0, 256] : !mem.buffer<256> -> memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  // CHECK: memref.subview %[[D]][%{{.*}}] [4] [1]
  %s = memref.subview %a[%i] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>>)
  // CHECK: memref.subview %[[D]][8] [%{{.*}}] [1]
  %t = memref.subview %a[8] [%n] [1] : memref<64xf32> to memref<?xf32, strided<[1], offset: 8>>
  linalg.fill ins(%v : f32) outs(%t : memref<?xf32, strided<[1], offset: 8>>)
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%v: f32) {
  // CHECK: %[[B:.*]] = mem.buffer
  %a = memref.alloc() : memref<4x6xf32>
  // CHECK: mem.descriptor %[[B]][0, 96] : !mem.buffer<96> -> memref<2x2x6xf32>
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
  linalg.fill ins(%v : f32) outs(%e : memref<2x2x6xf32>)
  // CHECK: mem.descriptor %[[B]][0, 96] : !mem.buffer<96> -> memref<24xf32>
  %c = memref.collapse_shape %a [[0, 1]] : memref<4x6xf32> into memref<24xf32>
  linalg.fill ins(%v : f32) outs(%c : memref<24xf32>)
  // CHECK: mem.descriptor %[[B]][0, 96] : !mem.buffer<96> -> memref<6x4xf32, strided<[1, 6]>>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32, strided<[1, 6]>>
  linalg.fill ins(%v : f32) outs(%t : memref<6x4xf32, strided<[1, 6]>>)
  return
}

// CHECK-LABEL: func.func @casts
func.func @casts(%v: f32) {
  // CHECK: %[[B:.*]] = mem.buffer
  // CHECK-NEXT: %[[D:.*]] = mem.descriptor %[[B]][0, 64] : !mem.buffer<64> -> memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  // CHECK: mem.descriptor %[[B]][0, 64] : !mem.buffer<64> -> memref<16xf32, strided<[1]>>
  %s = memref.cast %a : memref<16xf32> to memref<16xf32, strided<[1]>>
  linalg.fill ins(%v : f32) outs(%s : memref<16xf32, strided<[1]>>)
  // CHECK: memref.cast %[[D]] : memref<16xf32> to memref<?xf32>
  %d = memref.cast %a : memref<16xf32> to memref<?xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<?xf32>)
  // CHECK: memref.cast %[[D]] : memref<16xf32> to memref<*xf32>
  %u = memref.cast %a : memref<16xf32> to memref<*xf32>
  %r = memref.cast %u : memref<*xf32> to memref<16xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @reinterpret_cast
func.func @reinterpret_cast(%v: f32, %n: index) {
  // CHECK: %[[B:.*]] = mem.buffer
  // CHECK-NEXT: %[[D:.*]] = mem.descriptor %[[B]][0, 64]
  %a = memref.alloc() : memref<16xf32>
  // CHECK: mem.descriptor %[[B]][16, 40] : !mem.buffer<64> -> memref<2x3xf32, strided<[5, 2], offset: 4>>
  %r = memref.reinterpret_cast %a to offset: [4], sizes: [2, 3], strides: [5, 2] : memref<16xf32> to memref<2x3xf32, strided<[5, 2], offset: 4>>
  linalg.fill ins(%v : f32) outs(%r : memref<2x3xf32, strided<[5, 2], offset: 4>>)
  // The offset is relative to the base pointer, whatever the offset of the source.
  // CHECK: mem.descriptor %[[B]][0, 64] : !mem.buffer<64> -> memref<16xf32>
  %w = memref.reinterpret_cast %r to offset: [0], sizes: [16], strides: [1] : memref<2x3xf32, strided<[5, 2], offset: 4>> to memref<16xf32>
  linalg.fill ins(%v : f32) outs(%w : memref<16xf32>)
  // CHECK: memref.reinterpret_cast %[[D]] to offset: [%{{.*}}], sizes: [4], strides: [1]
  %o = memref.reinterpret_cast %a to offset: [%n], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%o : memref<4xf32, strided<[1], offset: ?>>)
  // The view is out of bounds, so it does not become a descriptor.
  // CHECK: memref.reinterpret_cast %[[D]] to offset: [0], sizes: [32], strides: [1]
  %x = memref.reinterpret_cast %a to offset: [0], sizes: [32], strides: [1] : memref<16xf32> to memref<32xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<32xf32>)
  return
}

// CHECK-LABEL: func.func @view_of_bytes
func.func @view_of_bytes(%v: f32, %n: index) {
  %c24 = arith.constant 24 : index
  // CHECK: %[[B:.*]] = mem.buffer
  // CHECK-NEXT: %[[D:.*]] = mem.descriptor %[[B]][0, 64] : !mem.buffer<64> -> memref<64xi8>
  %a = memref.alloc() : memref<64xi8>
  // memref.view moves the pointer, so the view's own offset is 0.
  // CHECK: mem.descriptor %[[B]][24, 16] : !mem.buffer<64> -> memref<2x2xf32>
  %w = memref.view %a[%c24][] : memref<64xi8> to memref<2x2xf32>
  linalg.fill ins(%v : f32) outs(%w : memref<2x2xf32>)
  // CHECK: mem.descriptor %[[B]][32, 8] : !mem.buffer<64> -> memref<1x2xf32, strided<[2, 1], offset: 2>>
  %s = memref.subview %w[1, 0] [1, 2] [1, 1] : memref<2x2xf32> to memref<1x2xf32, strided<[2, 1], offset: 2>>
  linalg.fill ins(%v : f32) outs(%s : memref<1x2xf32, strided<[2, 1], offset: 2>>)
  // CHECK: memref.view %[[D]][%{{.*}}][] : memref<64xi8> to memref<4xf32>
  %m = memref.view %a[%n][] : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return
}

// The extracted base buffer is still a view of the allocation, which can be planned.
// CHECK-LABEL: func.func @metadata
func.func @metadata(%v: f32) {
  // CHECK: mem.buffer
  // CHECK-NOT: memref.alloc
  %a = memref.alloc() : memref<4x4xf32>
  // CHECK: memref.extract_strided_metadata %{{.*}} : memref<4x4xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %base to offset: [%offset], sizes: [16], strides: [1] : memref<f32> to memref<16xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%r : memref<16xf32, strided<[1], offset: ?>>)
  return
}

// Views of storage other than buffers are unchanged.
// CHECK-LABEL: func.func @of_an_argument
func.func @of_an_argument(%a: memref<16xf32>, %v: f32) {
  // CHECK: memref.subview
  // CHECK-NOT: mem.descriptor
  %s = memref.subview %a[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%s : memref<4xf32, strided<[1], offset: 4>>)
  return
}
