// Out-of-bounds writes next to an allocation or an argument, and frees of memory that is not live, are reported.

// RUN: not mem-run %s --function=past_the_end | FileCheck %s --check-prefix=PAST
// RUN: not mem-run %s --function=before_the_start | FileCheck %s --check-prefix=BEFORE
// RUN: not mem-run %s --function=past_an_argument | FileCheck %s --check-prefix=ARGUMENT
// RUN: not mem-run %s --function=twice | FileCheck %s --check-prefix=TWICE
// RUN: not mem-run %s --function=after_free | FileCheck %s --check-prefix=AFTER
// RUN: not mem-run %s --function=wild 2>&1 | FileCheck %s --check-prefix=WILD
// RUN: not mem-run %s --function=zero 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not mem-run %s --function=too_much 2>&1 | FileCheck %s --check-prefix=MUCH

// PAST: fault: the original program wrote at byte 64 of an allocation of 64 bytes
func.func @past_the_end(%x: f32, %i: index) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  %b = memref.reinterpret_cast %a to offset: [16], sizes: [1], strides: [1]
      : memref<16xf32> to memref<1xf32, strided<[1], offset: 16>>
  linalg.fill ins(%x : f32) outs(%b : memref<1xf32, strided<[1], offset: 16>>)
  return
}

// BEFORE: fault: the original program wrote at byte -5 of an allocation of 64 bytes
func.func @before_the_start(%x: f32) {
  %c = arith.constant -2 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  %b = memref.reinterpret_cast %a to offset: [%c], sizes: [1], strides: [1]
      : memref<16xf32> to memref<1xf32, strided<[1], offset: ?>>
  linalg.fill ins(%x : f32) outs(%b : memref<1xf32, strided<[1], offset: ?>>)
  memref.dealloc %a : memref<16xf32>
  return
}

// ARGUMENT: fault: the original program wrote at byte 12 of argument 0 of 12 bytes
func.func @past_an_argument(%a: memref<3xf32>, %x: f32) {
  %b = memref.reinterpret_cast %a to offset: [3], sizes: [1], strides: [1]
      : memref<3xf32> to memref<1xf32, strided<[1], offset: 3>>
  linalg.fill ins(%x : f32) outs(%b : memref<1xf32, strided<[1], offset: 3>>)
  return
}

// TWICE: fault: the original program freed 0x{{[0-9a-f]+}}, which is not a live allocation
func.func @twice() {
  %a = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
}

// AFTER: fault: the original program wrote to 64 bytes that it had freed
func.func @after_free(%x: f32) {
  %a = memref.alloc() : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}

// WILD: error: the original program used an address that is not its own
func.func @wild(%a: memref<3xf32>, %x: f32) {
  %i = arith.constant 0x123456789abc : index
  %b = memref.reinterpret_cast %a to offset: [%i], sizes: [1], strides: [1]
      : memref<3xf32> to memref<1xf32, strided<[1], offset: ?>>
  linalg.fill ins(%x : f32) outs(%b : memref<1xf32, strided<[1], offset: ?>>)
  return
}

// ZERO: error: the original program divided by zero
func.func @zero(%a: i32, %b: i32) -> i32 {
  %c5 = arith.constant 5 : i32
  %zero = arith.shrui %b, %c5 : i32
  %z = arith.divsi %a, %zero : i32
  return %z : i32
}

// MUCH: error: the original program: out of memory: {{[0-9]+}} bytes were asked for
func.func @too_much(%x: f32) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 0x100000000000000 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  return
}
