// Constant bounds of a descriptor fold into its static bounds, unless the result would be invalid:
// such a descriptor is never executed, and no pass may turn it into an error.
//
// RUN: mem-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @both
// CHECK-SAME: (%[[A:.*]]: !mem.buffer<128>)
func.func @both(%a: !mem.buffer<128>) -> memref<?xf32> {
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  // CHECK-NEXT: %[[V:.*]] = mem.descriptor %[[A]][32, 64] : !mem.buffer<128> -> memref<?xf32>
  // CHECK-NEXT: return %[[V]]
  %v = mem.descriptor %a[%c32, %c64] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func.func @only_the_offset
// CHECK-SAME: (%[[A:.*]]: !mem.buffer<128>, %[[N:.*]]: index)
func.func @only_the_offset(%a: !mem.buffer<128>, %n: index) -> memref<?xf32> {
  %c32 = arith.constant 32 : index
  // CHECK-NEXT: mem.descriptor %[[A]][32, %[[N]]] : !mem.buffer<128> -> memref<?xf32>
  %v = mem.descriptor %a[%c32, %n] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func.func @only_the_size
// CHECK-SAME: (%[[A:.*]]: !mem.buffer<128>, %[[N:.*]]: index)
func.func @only_the_size(%a: !mem.buffer<128>, %n: index) -> memref<?xf32> {
  %c32 = arith.constant 32 : index
  // CHECK-NEXT: mem.descriptor %[[A]][%[[N]], 32] : !mem.buffer<128> -> memref<?xf32>
  %v = mem.descriptor %a[%n, %c32] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func.func @size_next_to_a_static_offset
func.func @size_next_to_a_static_offset(%a: !mem.buffer<128>) -> memref<?xf32> {
  %c32 = arith.constant 32 : index
  // CHECK-NEXT: mem.descriptor %{{.*}}[8, 32] : !mem.buffer<128> -> memref<?xf32>
  %v = mem.descriptor %a[8, %c32] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func.func @not_beyond_the_buffer
func.func @not_beyond_the_buffer(%a: !mem.buffer<128>) -> memref<?xf32> {
  %c96 = arith.constant 96 : index
  // CHECK: %[[C:.*]] = arith.constant 96 : index
  // CHECK-NEXT: mem.descriptor %{{.*}}[96, %[[C]]] : !mem.buffer<128> -> memref<?xf32>
  %v = mem.descriptor %a[%c96, %c96] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func.func @not_a_negative_offset
func.func @not_a_negative_offset(%a: !mem.buffer<128>) -> memref<?xf32> {
  %c-4 = arith.constant -4 : index
  %c32 = arith.constant 32 : index
  // CHECK: %[[C:.*]] = arith.constant -4 : index
  // CHECK-NEXT: mem.descriptor %{{.*}}[%[[C]], 32] : !mem.buffer<128> -> memref<?xf32>
  %v = mem.descriptor %a[%c-4, %c32] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// The smallest integer is the sentinel for a dynamic bound.
// CHECK-LABEL: func.func @not_the_sentinel
func.func @not_the_sentinel(%a: !mem.buffer<128>) -> memref<?xf32> {
  %c = arith.constant -9223372036854775808 : index
  // CHECK: %[[C:.*]] = arith.constant -9223372036854775808 : index
  // CHECK-NEXT: mem.descriptor %{{.*}}[%[[C]], 32] : !mem.buffer<128> -> memref<?xf32>
  %v = mem.descriptor %a[%c, 32] : !mem.buffer<128> -> memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func.func @not_smaller_than_the_memref
func.func @not_smaller_than_the_memref(%a: !mem.buffer<128>) -> memref<32xf32> {
  %c64 = arith.constant 64 : index
  // CHECK: %[[C:.*]] = arith.constant 64 : index
  // CHECK-NEXT: mem.descriptor %{{.*}}[0, %[[C]]] : !mem.buffer<128> -> memref<32xf32>
  %v = mem.descriptor %a[0, %c64] : !mem.buffer<128> -> memref<32xf32>
  return %v : memref<32xf32>
}
