// Every operation round-trips through the custom assembly format, the
// generic form, and bytecode.
//
// RUN: mem-opt %s | FileCheck %s --strict-whitespace
// RUN: mem-opt %s | mem-opt | FileCheck %s
// RUN: mem-opt %s --mlir-print-op-generic | mem-opt | FileCheck %s
// RUN: mem-opt %s --emit-bytecode | mem-opt | FileCheck %s

// CHECK-LABEL: func.func @buffers
func.func @buffers() {
  // CHECK-NEXT: %a = mem.buffer {name = "a"} : !mem.buffer<128>
  %0 = mem.buffer {name = "a"} : !mem.buffer<128>
  // CHECK-NEXT: %{{[0-9]+}} = mem.buffer : !mem.buffer<0>
  %1 = mem.buffer : !mem.buffer<0>
  // CHECK-NEXT: %w = mem.buffer {alignment = 64 : i64, name = "w", role = #mem.role<constant>} : !mem.buffer<4096>
  %2 = mem.buffer {name = "w", alignment = 64, role = #mem.role<constant>} : !mem.buffer<4096>
  // CHECK-NEXT: %{{.*}} = mem.buffer {name = "conv 1/out"} : !mem.buffer<8>
  %3 = mem.buffer {name = "conv 1/out"} : !mem.buffer<8>
  return
}

// CHECK-LABEL: func.func @descriptors
// CHECK-SAME: (%[[A:.*]]: !mem.buffer<128>, %[[N:.*]]: index, %[[M:.*]]: index)
func.func @descriptors(%a: !mem.buffer<128>, %n: index, %m: index) {
  // CHECK-NEXT: mem.descriptor %[[A]][0, 128] : !mem.buffer<128> -> memref<32xf32>
  %exact = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  // CHECK-NEXT: mem.descriptor %[[A]][32, %[[N]]] : !mem.buffer<128> -> memref<?xf32>
  %size = mem.descriptor %a[32, %n] : !mem.buffer<128> -> memref<?xf32>
  // CHECK-NEXT: mem.descriptor %[[A]][%[[M]], 64] : !mem.buffer<128> -> memref<16xf32>
  %offset = mem.descriptor %a[%m, 64] : !mem.buffer<128> -> memref<16xf32>
  // CHECK-NEXT: mem.descriptor %[[A]][%[[M]], %[[N]]] : !mem.buffer<128> -> memref<?xf32>
  %both = mem.descriptor %a[%m, %n] : !mem.buffer<128> -> memref<?xf32>
  // CHECK-NEXT: mem.descriptor %[[A]][16, 112] : !mem.buffer<128> -> memref<4x4xf32, strided<[8, 1], offset: 4>>
  %tile = mem.descriptor %a[16, 112] : !mem.buffer<128> -> memref<4x4xf32, strided<[8, 1], offset: 4>>
  // CHECK-NEXT: mem.descriptor %[[A]][0, 128] : !mem.buffer<128> -> memref<?x?xi8, strided<[?, 1], offset: ?>>
  %dynamic = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<?x?xi8, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: mem.descriptor %[[A]][124, 4] : !mem.buffer<128> -> memref<f32>
  %scalar = mem.descriptor %a[124, 4] : !mem.buffer<128> -> memref<f32>
  // CHECK-NEXT: mem.descriptor %[[A]][128, 0] : !mem.buffer<128> -> memref<0x8xf32>
  %empty = mem.descriptor %a[128, 0] : !mem.buffer<128> -> memref<0x8xf32>
  // CHECK-NEXT: mem.descriptor %[[A]][0, 128] : !mem.buffer<128> -> memref<8xvector<4xf32>>
  %vectors = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<8xvector<4xf32>>
  // The size of these elements is unknown, so it is not checked.
  // CHECK-NEXT: mem.descriptor %[[A]][0, 8] : !mem.buffer<128> -> memref<4xmemref<f32>>
  %pointers = mem.descriptor %a[0, 8] : !mem.buffer<128> -> memref<4xmemref<f32>>
  return
}

// CHECK-LABEL: func.func @kernels
// CHECK-SAME: (%[[V:[^:]*]]: memref<32xf32>, %[[W:[^:]*]]: memref<f32>, %[[T:[^:]*]]: memref<64xi8>, %[[P:[^:]*]]: i1)
func.func @kernels(%v: memref<32xf32>, %w: memref<f32>, %t: memref<64xi8>, %p: i1) {
  // CHECK-NEXT: mem.kernel "nothing"{{$}}
  mem.kernel "nothing"
  // CHECK-NEXT: mem.kernel "conv1" uses(%[[V]] : memref<32xf32>) defines(%[[W]] : memref<f32>) workspace(%[[T]] : memref<64xi8>) if %[[P]] {cycles = 900 : i64}
  mem.kernel "conv1" uses(%v : memref<32xf32>) defines(%w : memref<f32>)
             workspace(%t : memref<64xi8>) if %p {cycles = 900}
  // CHECK-NEXT: mem.kernel "all" uses(%[[V]], %[[W]] : memref<32xf32>, memref<f32>) defines(%[[W]] : memref<f32>)
  // CHECK-SAME: may_uses(%[[T]] : memref<64xi8>) may_defines(%[[T]] : memref<64xi8>) workspace(%[[T]] : memref<64xi8>)
  // CHECK-SAME: in_place [1, 0] if %[[P]] {core = 3 : i64, cycles = 0 : i64}
  mem.kernel "all" uses(%v, %w : memref<32xf32>, memref<f32>) defines(%w : memref<f32>)
             may_uses(%t : memref<64xi8>) may_defines(%t : memref<64xi8>)
             workspace(%t : memref<64xi8>) in_place [1, 0] if %p {cycles = 0, core = 3}
  // The groups may appear in any order.
  // CHECK-NEXT: mem.kernel "order" uses(%[[V]] : memref<32xf32>) defines(%[[W]] : memref<f32>) disjoint if %[[P]]
  mem.kernel "order" if %p disjoint defines(%w : memref<f32>) uses(%v : memref<32xf32>)
  return
}

// CHECK-LABEL: func.func @arenas
func.func @arenas() {
  // CHECK-NEXT: %sram = mem.arena "sram", 5120 {alignment = 64 : i64} : !mem.arena
  %0 = mem.arena "sram", 5120 {alignment = 64} : !mem.arena
  // CHECK-NEXT: %a = mem.view %sram[2048] {name = "a"} : !mem.arena -> !mem.buffer<128>
  %1 = mem.view %0[2048] {name = "a"} : !mem.arena -> !mem.buffer<128>
  // CHECK-NEXT: mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
  %2 = mem.descriptor %1[0, 128] : !mem.buffer<128> -> memref<32xf32>
  // CHECK-NEXT: mem.view %sram[2048] : !mem.arena -> memref<32xf32, #mem.space<"sram">>
  %3 = mem.view %0[2048] : !mem.arena -> memref<32xf32, #mem.space<"sram">>
  // CHECK-NEXT: mem.view %sram[128] {alignment = 128 : i64, role = #mem.role<output>} : !mem.arena -> memref<4xf32, strided<[2], offset: 32>>
  %4 = mem.view %0[128] {alignment = 128, role = #mem.role<output>} : !mem.arena -> memref<4xf32, strided<[2], offset: 32>>
  // CHECK-NEXT: %[[SUB:.*]] = mem.slice %sram[4096, 1024] : !mem.arena -> !mem.arena
  %5 = mem.slice %0[4096, 1024] : !mem.arena -> !mem.arena
  // CHECK-NEXT: mem.view %[[SUB]][896] : !mem.arena -> !mem.buffer<128>
  %6 = mem.view %5[896] : !mem.arena -> !mem.buffer<128>
  return
}

// The size of an arena that is passed as an argument is unknown.
// CHECK-LABEL: func.func @callee
func.func @callee(%arena: !mem.arena) {
  // CHECK-NEXT: mem.view %{{.*}}[1000000] : !mem.arena -> !mem.buffer<128>
  %a = mem.view %arena[1000000] : !mem.arena -> !mem.buffer<128>
  return
}

// CHECK-LABEL: func.func @rotate
// CHECK-SAME: (%[[A:[^:]*]]: !mem.buffer<128>, %[[B:[^:]*]]: !mem.buffer<128>, %[[X:[^:]*]]: memref<32xf32>)
func.func @rotate(%a: !mem.buffer<128>, %b: !mem.buffer<128>, %x: memref<32xf32>) {
  // CHECK-NEXT: mem.rotate(%[[A]], %[[B]]) avoiding(%[[X]] : memref<32xf32>) : !mem.buffer<128>
  %0 = mem.rotate(%a, %b) avoiding(%x : memref<32xf32>) : !mem.buffer<128>
  // CHECK-NEXT: mem.rotate(%[[A]]) : !mem.buffer<128>
  %1 = mem.rotate(%a) : !mem.buffer<128>
  return
}

// CHECK-LABEL: func.func @transfers
// CHECK-SAME: (%[[HOME:[^:]*]]: memref<32xf32>, %[[X:[^:]*]]: memref<32xf32, #mem.space<"sram">>, %[[Y:[^:]*]]: memref<32xf32, #mem.space<"sram">>, %[[SLOT:[^:]*]]: memref<32xf32, strided<[2]>, #mem.space<"dram">>)
func.func @transfers(%home: memref<32xf32>, %x: memref<32xf32, #mem.space<"sram">>,
                     %y: memref<32xf32, #mem.space<"sram">>,
                     %slot: memref<32xf32, strided<[2]>, #mem.space<"dram">>) {
  // CHECK-NEXT: mem.load %[[HOME]] to %[[X]] : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
  mem.load %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
  // CHECK-NEXT: mem.store %[[X]] to %[[HOME]] : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
  mem.store %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
  // CHECK-NEXT: mem.swap %[[X]] to %[[SLOT]] : memref<32xf32, #mem.space<"sram">> to memref<32xf32, strided<[2]>, #mem.space<"dram">>
  mem.swap %x to %slot : memref<32xf32, #mem.space<"sram">> to memref<32xf32, strided<[2]>, #mem.space<"dram">>
  // CHECK-NEXT: mem.move %[[X]] to %[[Y]] : memref<32xf32, #mem.space<"sram">> to memref<32xf32, #mem.space<"sram">>
  mem.move %x to %y : memref<32xf32, #mem.space<"sram">> to memref<32xf32, #mem.space<"sram">>
  // CHECK-NEXT: %[[T:.*]] = mem.load async %[[HOME]] to %[[X]] : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
  %t = mem.load async %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
  // CHECK-NEXT: mem.wait %[[T]]
  mem.wait %t
  // CHECK-NEXT: %[[U:.*]] = mem.store async
  %u = mem.store async %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
  // CHECK-NEXT: %[[V:.*]] = mem.swap async
  %v = mem.swap async %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
  // CHECK-NEXT: %[[W:.*]] = mem.move async
  %w = mem.move async %x to %y : memref<32xf32, #mem.space<"sram">> to memref<32xf32, #mem.space<"sram">>
  // CHECK-NEXT: mem.wait %[[U]], %[[V]], %[[W]]
  mem.wait %u, %v, %w
  return
}

// Sizes known only at run time.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME: (%[[N:.*]]: index, %[[AT:.*]]: index)
func.func @sizes(%n: index, %at: index) {
  // CHECK-NEXT: %a = mem.buffer[%[[N]]] {alignment = 64 : i64, name = "a"} : !mem.buffer<?>
  %a = mem.buffer[%n] {alignment = 64, name = "a"} : !mem.buffer<?>
  // CHECK-NEXT: mem.descriptor %a[0, %[[N]]] : !mem.buffer<?> -> memref<?xi8>
  %0 = mem.descriptor %a[0, %n] : !mem.buffer<?> -> memref<?xi8>
  // CHECK-NEXT: mem.descriptor %a[1099511627776, 4] : !mem.buffer<?> -> memref<f32>
  %1 = mem.descriptor %a[1099511627776, 4] : !mem.buffer<?> -> memref<f32>
  // CHECK-NEXT: %sram = mem.arena "sram", %[[N]] {alignment = 64 : i64} : !mem.arena
  %sram = mem.arena "sram", %n {alignment = 64} : !mem.arena
  // CHECK-NEXT: mem.view %sram[%[[AT]]] : !mem.arena -> memref<4xf32, #mem.space<"sram">>
  %2 = mem.view %sram[%at] : !mem.arena -> memref<4xf32, #mem.space<"sram">>
  // CHECK-NEXT: mem.view %sram[%[[AT]]] : !mem.arena -> memref<4xf32, strided<[2], offset: 8>>
  %3 = mem.view %sram[%at] : !mem.arena -> memref<4xf32, strided<[2], offset: 8>>
  // CHECK-NEXT: %b = mem.view %sram[%[[AT]], %[[N]]] {name = "b"} : !mem.arena -> !mem.buffer<?>
  %b = mem.view %sram[%at, %n] {name = "b"} : !mem.arena -> !mem.buffer<?>
  // CHECK-NEXT: mem.view %sram[128, %[[N]]] : !mem.arena -> !mem.buffer<?>
  %4 = mem.view %sram[128, %n] : !mem.arena -> !mem.buffer<?>
  // CHECK-NEXT: mem.slice %sram[%[[AT]], 64] : !mem.arena -> !mem.arena
  %5 = mem.slice %sram[%at, 64] : !mem.arena -> !mem.arena
  return
}
