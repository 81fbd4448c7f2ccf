// Memory spaces stay, those of arenas, too. A view in another space than its arena is cast. LLVM knows only numeric memory
// spaces, so the pipeline to LLVM replaces spaces that name levels in every type, in signatures, globals and block arguments
// as well; they can also be erased.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' | FileCheck %s --check-prefix=KEPT
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-erase-spaces{named-only=true},convert-mem-to-memref)' \
// RUN:   | FileCheck %s --implicit-check-not='#mem.space'
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline)' -o /dev/null

// KEPT: memref.alloc() : memref<64xi8>
// KEPT: %[[V:.*]] = memref.view %{{.*}} : memref<64xi8> to memref<4xf32>
// KEPT: memref.memory_space_cast %[[V]] : memref<4xf32> to memref<4xf32, #mem.space<"sram">>
// KEPT: memref.subview {{.*}} to memref<2xf32, strided<[1], offset: 2>, #mem.space<"sram">>
// KEPT: memref.alloc() : memref<32xi8, 3>
// KEPT: memref.view {{.*}} : memref<32xi8, 3> to memref<8xf32, 3>

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">>} {
  // CHECK: memref.global "private" @g : memref<4xf32>
  memref.global "private" @g : memref<4xf32, #mem.space<"sram">> = dense<1.0>
  // CHECK-LABEL: func.func @levels
  // CHECK-SAME: (%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32, 1>, %{{.*}}: i1) -> f32
  func.func @levels(%x: memref<4xf32, #mem.space<"sram">>, %far: memref<4xf32, 1>, %c: i1) -> f32 {
    %c0 = arith.constant 0 : index
    %sram = mem.arena "sram", 64 : !mem.arena
    // CHECK: %[[V:.*]] = memref.view %{{.*}} : memref<64xi8> to memref<4xf32>
    %v = mem.view %sram[0] : !mem.arena -> memref<4xf32, #mem.space<"sram">>
    mem.move %x to %v : memref<4xf32, #mem.space<"sram">> to memref<4xf32, #mem.space<"sram">>
    // CHECK: memref.subview %[[V]][2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
    %s = memref.subview %v[2] [2] [1]
        : memref<4xf32, #mem.space<"sram">> to memref<2xf32, strided<[1], offset: 2>, #mem.space<"sram">>
    // CHECK: scf.if %{{.*}} -> (memref<4xf32>)
    %r = scf.if %c -> (memref<4xf32, #mem.space<"sram">>) {
      %g = memref.get_global @g : memref<4xf32, #mem.space<"sram">>
      scf.yield %g : memref<4xf32, #mem.space<"sram">>
    } else {
      scf.yield %v : memref<4xf32, #mem.space<"sram">>
    }
    %0 = memref.load %r[%c0] : memref<4xf32, #mem.space<"sram">>
    %1 = memref.load %s[%c0] : memref<2xf32, strided<[1], offset: 2>, #mem.space<"sram">>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %far[%c0] : memref<4xf32, 1>
    return %2 : f32
  }

  // CHECK-LABEL: func.func @arena
  func.func @arena() -> f32 {
    %c0 = arith.constant 0 : index
    %a = mem.arena "sram", 32 : !mem.arena<3>
    %b = mem.view %a[0] : !mem.arena<3> -> !mem.buffer<32, 3>
    %v = mem.descriptor %b[0, 32] : !mem.buffer<32, 3> -> memref<8xf32, 3>
    // CHECK: memref.load %{{.*}} : memref<8xf32, 3>
    %l = memref.load %v[%c0] : memref<8xf32, 3>
    return %l : f32
  }
}
