// The plan as the IR states it, for people and for programs: one table per function, a summary of one
// line per function, JSON, a page, a picture or a trace, written to standard error, standard output or a file. Printing changes
// nothing, and the output does not depend on the names of SSA values.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan)' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TABLE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=table output=-})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=TABLE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=summary})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SUMMARY
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=json output=%t.json})' \
// RUN:   | FileCheck %s --check-prefix=IR
// RUN: python3 -m json.tool %t.json | FileCheck %s --check-prefix=JSON
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=html output=-})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=HTML
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=svg output=-})' -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SVG
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=trace output=-})' -o /dev/null \
// RUN:   | python3 -m json.tool | FileCheck %s --check-prefix=TRACE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=csv output=%t.csv})' -o /dev/null
// RUN: FileCheck %s --check-prefix=CSV --input-file=%t.csv
// RUN: mem-plan %t.csv --capacity 200 -o %t.planned.csv
// RUN: cmp %t.csv %t.planned.csv

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 1000>>} {
  // TABLE: @f: 3 buffers in sram
  // TABLE: peak 200, lower bound 200, gap 0 %
  // TABLE: buffer {{ *}}role {{ *}}size {{ *}}offset {{ *}}live
  // TABLE: a {{ *}}intermediate {{ *}}100 {{ *}}0 {{ *}}0..1
  // TABLE: b {{ *}}intermediate {{ *}}100 {{ *}}100 {{ *}}1..2
  // TABLE: c {{ *}}intermediate {{ *}}50 {{ *}}0 {{ *}}2
  // TABLE: in {{ *}}input {{ *}}100 {{ *}}external

  // SUMMARY: function {{ *}}buffers {{ *}}sum [bytes] {{ *}}peak [bytes] {{ *}}bound [bytes]
  // SUMMARY-NEXT: @f {{ *}}3 {{ *}}250 {{ *}}200 {{ *}}200 {{ *}}0.00%

  // One buffer takes 100 bytes of a type that the page shows, from the late point of step 0 on.
  // HTML: <!DOCTYPE html>
  // HTML: "texts":["","x","{{[^"]*}}","y",{{.*}}"100xi8"
  // HTML: "title":"plan (
  // HTML: "capacity":1000,"peak":200,"bound":200,"home":0,"live":{{\[\[}}1,100],[3,200],
  // HTML: "places":{{\[\[[0-9]+}},0,1,4,0,100]

  // SVG: @f in sram, {{.*}}: peak 200 B, lower bound 200 B
  // SVG-COUNT-3: <title>{{[abc]}}: {{[0-9]+}} B at

  // The plan is one for mem-plan as well, whose offsets it keeps. Two points are a step.
  // CSV: id,lower,upper,size,alignment,gaps,in_place,offset
  // CSV-NEXT: a,1,4,100,1,,,0
  // CSV-NEXT: b,3,6,100,1,,,100
  // CSV-NEXT: c,5,6,50,1,,,0

  // TRACE: "name": "process_name"
  // TRACE: "name": "x"
  // TRACE: "bytes": 100
  // TRACE-NEXT: },
  // TRACE-NEXT: "name": "live in sram"

  // IR: mem.arena "sram", 200

  // JSON: "version": 1,
  // JSON: "functions": [
  // JSON: "name": "f",
  // JSON: "levels": [
  // JSON: "name": "sram",
  // JSON-NEXT: "capacity": 1000,
  // JSON-NEXT: "peak": 200,
  // JSON-NEXT: "lower_bound": 200
  // JSON: "buffers": [
  // JSON: "name": "b",
  // JSON-NEXT: "role": "intermediate",
  // JSON: "size": 100,
  // JSON-NEXT: "alignment": 1,
  // JSON: "placements": [
  // JSON: "level": "sram",
  // JSON-NEXT: "offset": 100,
  // JSON: "transfers": [],
  // JSON: "cost":
  func.func @f(%in: memref<100xi8> loc("in")) {
    %a = mem.buffer {name = "a"} : !mem.buffer<100>
    %0 = mem.descriptor %a[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "x" uses(%in : memref<100xi8>) defines(%0 : memref<100xi8>)
    %b = mem.buffer {name = "b"} : !mem.buffer<100>
    %1 = mem.descriptor %b[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "y" uses(%0 : memref<100xi8>) defines(%1 : memref<100xi8>)
    %c = mem.buffer {name = "c"} : !mem.buffer<50>
    %2 = mem.descriptor %c[0, 50] : !mem.buffer<50> -> memref<50xi8>
    mem.kernel "z" uses(%1 : memref<100xi8>) defines(%2 : memref<50xi8>)
    return
  }
}
