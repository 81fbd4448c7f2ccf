// JSON and pages show the copies between levels that the program states, with their cycles by the hierarchy of the module.
// Without a hierarchy, the cycles are unknown. A copy that is waited for later says by which step.
//
// RUN: mem-opt %s --split-input-file --pass-pipeline='builtin.module(mem-print-plan{format=json output=-})' -o /dev/null \
// RUN:   | FileCheck %s

// 64 bytes from home at 10 + 64/4 = 26 cycles into sram at 1 + 64/64 = 2 cycles.
// CHECK: "transfers": [
// CHECK-NEXT: {
// CHECK-NEXT: "function": "f",
// CHECK-NEXT: "buffer": "x",
// CHECK-NEXT: "from": {
// CHECK-NEXT: "level": "dram",
// CHECK-NEXT: "offset": null
// CHECK-NEXT: },
// CHECK-NEXT: "to": {
// CHECK-NEXT: "level": "sram",
// CHECK-NEXT: "offset": 0
// CHECK-NEXT: },
// CHECK-NEXT: "bytes": 64,
// CHECK-NEXT: "before": 0,
// CHECK-NEXT: "until": 2,
// CHECK-NEXT: "keeps_source": true,
// CHECK-NEXT: "cycles": 28
// CHECK: "buffer": "y",
// CHECK: "level": "sram",
// CHECK: "level": "dram",
// CHECK-NEXT: "offset": 128
// CHECK: "before": 3,
// CHECK-NEXT: "until": 3,
// CHECK-NEXT: "keeps_source": false,
// CHECK-NEXT: "cycles": 28
// CHECK: "cost": 56
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"sram", read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"dram", read = (latency = 10, bandwidth = 4.0), write = (latency = 10, bandwidth = 4.0)>>} {
  func.func @f(%in: memref<64xi8>) -> i8 {
    %c0 = arith.constant 0 : index
    %sram = mem.arena "sram", 64 : !mem.arena
    %dram = mem.arena "dram", 192 : !mem.arena
    %x = mem.view %sram[0] {name = "x"} : !mem.arena -> memref<64xi8>
    %y = mem.view %dram[128] {name = "y"} : !mem.arena -> memref<64xi8>
    %t = mem.load async %in to %x : memref<64xi8> to memref<64xi8>
    %z = memref.load %in[%c0] : memref<64xi8>
    mem.wait %t
    mem.swap %x to %y : memref<64xi8> to memref<64xi8>
    %v = memref.load %y[%c0] : memref<64xi8>
    return %v : i8
  }
}

// -----

// CHECK: "transfers": [
// CHECK: "level": null,
// CHECK-NEXT: "offset": null
// CHECK: "level": "sram",
// CHECK: "cycles": null
// CHECK: "cost": null
func.func @g(%in: memref<64xi8>) -> i8 {
  %c0 = arith.constant 0 : index
  %sram = mem.arena "sram", 64 : !mem.arena
  %x = mem.view %sram[0] {name = "x"} : !mem.arena -> memref<64xi8>
  mem.load %in to %x : memref<64xi8> to memref<64xi8>
  %v = memref.load %x[%c0] : memref<64xi8>
  return %v : i8
}
