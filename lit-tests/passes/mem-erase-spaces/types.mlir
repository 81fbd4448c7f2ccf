// All memory spaces disappear from types, and with them the casts between them. With `named-only`, those that are numbers stay.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-erase-spaces)' \
// RUN:   | FileCheck %s --implicit-check-not=memory_space_cast --implicit-check-not='f32, 1' --implicit-check-not='#mem.space'
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-erase-spaces{named-only=true})' \
// RUN:   | FileCheck %s --check-prefix=NAMED --implicit-check-not='#mem.space'

// CHECK: memref.global "private" @g : memref<4xf32>
memref.global "private" @g : memref<4xf32, #mem.space<"sram">> = dense<1.0>
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %{{.*}}: memref<*xf32>, %{{.*}}: !async.value<memref<4xf32>>) -> memref<4xf32>
// NAMED-LABEL: func.func @types(
// NAMED-SAME: %{{.*}}: memref<4xf32, 1>, %{{.*}}: memref<*xf32, 1>, %{{.*}}: !async.value<memref<4xf32, 1>>) -> memref<4xf32>
func.func @types(%x: memref<4xf32, 1>, %u: memref<*xf32, 1>, %v: !async.value<memref<4xf32, 1>>) -> memref<4xf32> {
  // CHECK: %[[A:.*]] = mem.arena "sram", 64 : !mem.arena
  // NAMED: mem.arena "sram", 64 : !mem.arena<1>
  %a = mem.arena "sram", 64 : !mem.arena<1>
  // CHECK: mem.view %[[A]][0] : !mem.arena -> !mem.buffer<64>
  %b = mem.view %a[0] : !mem.arena<1> -> !mem.buffer<64, 1>
  // CHECK: memref.get_global @g : memref<4xf32>
  %g = memref.get_global @g : memref<4xf32, #mem.space<"sram">>
  // NAMED: memref.memory_space_cast
  %c = memref.memory_space_cast %x : memref<4xf32, 1> to memref<4xf32>
  // CHECK: return %[[X]]
  return %c : memref<4xf32>
}
