// Occupancy of a level: a result in place of an operand occupies the same bytes, which count once. The
// sum of all placement sizes would exceed the level's capacity, and yield a lower bound above the peak.
//
// RUN: rm -rf %t && mkdir %t
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{noalias-arguments=true explain=1 report=%t/plan.json})' \
// RUN:   -o %t/planned.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: python3 -m json.tool %t/plan.json | FileCheck %s --check-prefix=JSON
//
// A module with placements in several levels has a table and figures for each level.
// RUN: mem-opt %t/planned.mlir --pass-pipeline='builtin.module(mem-print-plan{format=summary output=-})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SUMMARY
// RUN: mem-opt %t/planned.mlir --pass-pipeline='builtin.module(mem-print-plan{output=-})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=TABLE
// RUN: mem-opt %t/planned.mlir --pass-pipeline='builtin.module(mem-print-plan{format=json output=-})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=PRINTED
//
// REMARK: occupancy.mlir:[[#@LINE+43]]:5: remark: 'fast' is fullest here, with 1.0 KiB of 1.0 KiB: 'buf0' [0, 1024){{$}}
// REMARK: remark: 'slow' is fullest here, with 2.0 KiB in addition to 4.0 KiB of arguments and constants: 'buf3' [0, 2048)
//
// JSON: "name": "fast",
// JSON: "levels": [
// JSON: "capacity": 1024,
// JSON-NEXT: "home": 0,
// JSON-NEXT: "lower_bound": 1024,
// JSON-NEXT: "name": "fast",
// JSON-NEXT: "occupied": 1024,
// JSON-NEXT: "peak": 1024,
// JSON-NEXT: "tightest": {
// JSON: "buffer": "buf0",
// JSON-NEXT: "in_place_of": null,
// JSON: "step": 0
// JSON: "home": 4096,
// JSON-NEXT: "lower_bound": 2048,
// JSON-NEXT: "name": "slow",
// JSON-NEXT: "occupied": 2048,
// JSON-NEXT: "peak": 2048,
//
// SUMMARY: @main in fast {{ *}}3 {{ *}}3072 {{ *}}1024 {{ *}}1024 {{ *}}0.00%
// SUMMARY: @main in slow {{ *}}1 {{ *}}2048 {{ *}}2048 {{ *}}2048 {{ *}}0.00%
//
// TABLE: @main: 3 buffers in fast
// TABLE-NEXT: peak 1024 (1.0 KiB), lower bound 1024, gap 0 %, sum of sizes 3072, capacity 1024
// TABLE-NOT: buf3
// TABLE: @main: 1 buffer in slow
// TABLE-NEXT: peak 2048 (2.0 KiB), lower bound 2048, gap 0 %, sum of sizes 2048
// TABLE-NOT: buf0
//
// PRINTED-DAG: "transfers": []
// PRINTED-DAG: "cost": 0
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 1024, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>,
    engines = [#mem.engine<"dma", "slow" to "fast", "fast" to "slow">]>} {
  func.func @main(%x: memref<16x16xf32>, %e: memref<16x32xf32>, %y: memref<16x16xf32>) {
    %a = memref.alloc() : memref<16x16xf32>
    %b = memref.alloc() : memref<16x16xf32>
    %c = memref.alloc() : memref<16x16xf32>
    %d = memref.alloc() : memref<16x32xf32>
    %one = arith.constant 1.0 : f32
    linalg.exp ins(%x : memref<16x16xf32>) outs(%a : memref<16x16xf32>)
    linalg.exp ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>)
    linalg.exp ins(%b : memref<16x16xf32>) outs(%c : memref<16x16xf32>)
    linalg.fill ins(%one : f32) outs(%d : memref<16x32xf32>)
    linalg.matmul ins(%c, %e : memref<16x16xf32>, memref<16x32xf32>) outs(%d : memref<16x32xf32>)
    %part = memref.subview %d[0, 0] [16, 16] [1, 1] : memref<16x32xf32> to memref<16x16xf32, strided<[32, 1]>>
    linalg.exp ins(%part : memref<16x16xf32, strided<[32, 1]>>) outs(%y : memref<16x16xf32>)
    return
  }
}
