// Types and attributes print as they are written, regardless of the order of a level's
// properties and of how a bandwidth is spelled. The reserved attributes are accepted on the
// operations to which they apply.
//
// RUN: mem-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: mem-opt %s --allow-unregistered-dialect | mem-opt --allow-unregistered-dialect | FileCheck %s
// RUN: mem-opt %s --allow-unregistered-dialect --emit-bytecode | mem-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: module attributes {mem.hierarchy = #mem.hierarchy<
// CHECK-SAME: #mem.level<"sram", capacity = 1048576, alignment = 64, read = (latency = 20, bandwidth = 64.0), write = (latency = 20, bandwidth = 64.0)>,
// CHECK-SAME: #mem.level<"dram", alignment = 64, read = (latency = 200, bandwidth = 16.0), write = (latency = 220, bandwidth = 12.0)>>}
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"sram", capacity = 1048576, alignment = 64,
               read = (latency = 20, bandwidth = 64.0), write = (latency = 20, bandwidth = 64.0)>,
    #mem.level<"dram", alignment = 64,
               read = (latency = 200, bandwidth = 16.0), write = (latency = 220, bandwidth = 12.0)>>} {
  // CHECK: func.func private @arguments(memref<4xf32> {mem.noalias, mem.role = #mem.role<input>}, memref<4xf32, #mem.space<"sram">> {mem.role = #mem.role<output>})
  func.func private @arguments(memref<4xf32> {mem.noalias, mem.role = #mem.role<input>},
                               memref<4xf32, #mem.space<"sram">> {mem.role = #mem.role<output>})
  // CHECK: func.func private @types(!mem.buffer<0>, !mem.buffer<9223372036854775807>, !mem.arena, !mem.token)
  func.func private @types(!mem.buffer<0>, !mem.buffer<9223372036854775807>, !mem.arena, !mem.token)
  // The default memory space, 0, is not printed.
  // CHECK: func.func private @spaces(!mem.buffer<8, 1>, !mem.buffer<?, #mem.space<"sram">>, !mem.buffer<8>, !mem.arena<3>, !mem.arena<#gpu.address_space<workgroup>>, !mem.arena)
  func.func private @spaces(!mem.buffer<8, 1>, !mem.buffer<?, #mem.space<"sram">>, !mem.buffer<8, 0>, !mem.arena<3>,
                            !mem.arena<#gpu.address_space<workgroup>>, !mem.arena<0>)
}

#sram = #mem.level<"sram">

// CHECK-LABEL: "test.attributes"
"test.attributes"() {
  // CHECK-SAME: a = #mem.level<"any">
  a = #mem.level<"any">,
  // CHECK-SAME: b = #mem.level<"order", capacity = 1, alignment = 1048576, write = (latency = 0, bandwidth = 3.0)>
  b = #mem.level<"order", write = (latency = 0, bandwidth = 3), alignment = 1048576, capacity = 1>,
  // CHECK-SAME: c = #mem.cost<latency = 1, bandwidth = 0.1>
  c = #mem.cost<latency = 1, bandwidth = 0.1>,
  // CHECK-SAME: d = #mem.cost<latency = 1, bandwidth = 1000000.0>
  d = #mem.cost<latency = 1, bandwidth = 1.0e6>,
  // CHECK-SAME: e = #mem.cost<latency = 1, bandwidth = 0.30000000000000004>
  e = #mem.cost<latency = 1, bandwidth = 0.30000000000000004>,
  // CHECK-SAME: f = #mem.hierarchy<#mem.level<"sram">>
  f = #mem.hierarchy<#sram>,
  // CHECK-SAME: g = #mem.role<intermediate>
  g = #mem.role<intermediate>,
  // CHECK-SAME: h = #mem.space<"a level \22quoted\22">
  h = #mem.space<"a level \"quoted\"">,
  // CHECK-SAME: i = #mem.level<"a level \22quoted\22">
  i = #mem.level<"a level \"quoted\"">,
  // CHECK-SAME: j = #mem.hierarchy<#mem.level<"sram">, #mem.level<"dram">, engines = [#mem.engine<"dma", "dram" to "sram", "sram" to "dram">], operands = [#mem.operand<"linalg.matmul", 1, "sram", "dram">], compute = 0.5, preloaded>
  j = #mem.hierarchy<#sram, #mem.level<"dram">, preloaded, compute = 0.5,
                     operands = [#mem.operand<"linalg.matmul", 1, "sram", "dram">],
                     engines = [#mem.engine<"dma", "dram" to "sram", "sram" to "dram">]>,
  // CHECK-SAME: k = #mem.level<"lds", capacity = 64, space = #gpu.address_space<workgroup>>
  k = #mem.level<"lds", space = #gpu.address_space<workgroup>, capacity = 64>,
  // CHECK-SAME: l = #mem.hierarchy<#mem.level<"a", space = 1>, #mem.level<"b", space = #mem.space<"b">>, preloaded, generic = 0>
  l = #mem.hierarchy<#mem.level<"a", space = 1>, #mem.level<"b", space = #mem.space<"b">>, generic = 0, preloaded>,
  // CHECK-SAME: m = #mem.hierarchy<#mem.level<"a">, preloaded, link = (latency = 500, bandwidth = 0.25)>
  m = #mem.hierarchy<#mem.level<"a">, link = (latency = 500, bandwidth = 0.25), preloaded>,
  // CHECK-SAME: n = #mem.hierarchy<#mem.level<"a">, ranks = [2, 4], links = [#mem.link<"x", latency = 5, bandwidth = 0.5, duplex>, #mem.link<"y", latency = 6, bandwidth = 2.0>], routes = [#mem.route<"x", send, node = 4, distances = [1, -1], peers = [0], axes = [1]>, #mem.route<"y">]>
  n = #mem.hierarchy<#mem.level<"a">,
    links = [#mem.link<"x", latency = 5, bandwidth = 0.5, duplex>, #mem.link<"y", latency = 6, bandwidth = 2>],
    routes = [#mem.route<"x", axes = [1], peers = [0], distances = [1, -1], node = 4, send>, #mem.route<"y">], ranks = [2, 4]>
} : () -> ()
