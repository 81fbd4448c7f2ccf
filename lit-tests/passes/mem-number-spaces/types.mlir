// Levels have integers: their own, those of the gpu dialect, or the smallest that are left. What is no level stays.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-number-spaces)' | FileCheck %s

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"regs", space = #gpu.address_space<private>>, #mem.level<"lds", space = #gpu.address_space<workgroup>>,
    #mem.level<"l2">, #mem.level<"hbm", space = 1>, #mem.level<"host">>} {
  // CHECK: func.func private @types(memref<4xf32, 5>, memref<4xf32, 3>, memref<4xf32, 2>, memref<4xf32, 1>, memref<4xf32>,
  // CHECK-SAME: memref<4xf32, #gpu.address_space<global>>, memref<4xf32, 9>, !mem.arena<3>)
  func.func private @types(memref<4xf32, #gpu.address_space<private>>, memref<4xf32, #mem.space<"lds">>,
                           memref<4xf32, #mem.space<"l2">>, memref<4xf32, 1>, memref<4xf32, #mem.space<"host">>,
                           memref<4xf32, #gpu.address_space<global>>, memref<4xf32, 9>,
                           !mem.arena<#gpu.address_space<workgroup>>)
}
