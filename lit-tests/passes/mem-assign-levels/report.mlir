// Reports of a plan in each format, and remarks that name the highest costs.
//
// RUN: rm -rf %t && mkdir %t
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{report=%t/plan.svg explain=3})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=SVG --input-file %t/plan.svg
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{report=%t/plan.html})' -o /dev/null
// RUN: FileCheck %s --check-prefix=PAGE --input-file %t/plan.html
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{report=%t/plan.json})' -o /dev/null
// RUN: python3 -m json.tool %t/plan.json | FileCheck %s --check-prefix=JSON
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{report=%t/plan.trace})' -o /dev/null
// RUN: python3 -m json.tool %t/plan.trace | FileCheck %s --check-prefix=TRACE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{report=%t/plan.txt})' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{report=%t/none/plan.svg})' 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t/plan.txt %t/none
//
// NAME: error: mem-assign-levels: invalid value for option 'report': cannot tell what to write into '{{.*}}plan.txt': it ends in none of .svg, .html, .json, .trace
// NONE: error: cannot write {{.*}}plan.svg
//
// SVG: <?xml version="1.0" encoding="UTF-8"?>
// SVG: @main, {{.*}} cycles serially, {{.*}} with overlapped copies; {{[1-9][0-9]*}} copies of
// SVG: <title>a&lt;b&gt;: 512 B at {{0|512}} of fast, steps 0 to
// SVG: <title>copy of
// SVG: </svg>
//
// PAGE: <!DOCTYPE html>
// PAGE: "name":"main"
// PAGE: "name":"a\u003cb>"
// PAGE: "title":"initial plan"
// PAGE: "lower bound {{[0-9]+}} cycles serially"
// PAGE: "title":"plan (
// PAGE: is in 'slow' here rather than in 'fast'
//
// JSON-DAG: "version": 1
// JSON-DAG: "functions": [
// JSON-DAG: "makespan":
// JSON-DAG: "levels": [
// JSON-DAG: "capacity": 1024,
// JSON-DAG: "tightest": {
// JSON-DAG: "buffers": [
// JSON-DAG: "transfers": [
// JSON-DAG: "engine": "dma",
// JSON-DAG: "explanations": [
// JSON-DAG: "cost":
//
// TRACE: "traceEvents": [
// TRACE: "name": "@main"
// TRACE: "name": "processor"
// TRACE: "name": "dma"
// TRACE: "name": "k0"
// TRACE: "ph": "s"
// TRACE: "ph": "t"
// TRACE: "ph": "f"
//
// REMARK: remark: 'fast' is fullest here, with 1.0 KiB of 1.0 KiB: '{{.*}}' [0, 512), '{{.*}}' [512, 1024)
// REMARK: remark: '{{.*}}' is in 'slow' here rather than in 'fast', which costs {{[0-9]+}} cycles:
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 1024, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>,
    engines = [#mem.engine<"dma", "slow" to "fast", "fast" to "slow">]>} {
  func.func @main(%x: memref<32xf32> {mem.noalias}, %y: memref<32xf32> {mem.noalias}) {
    %a = mem.buffer {name = "a<b>"} : !mem.buffer<512>
    %va = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<128xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<512>
    %vb = mem.descriptor %b[0, 512] : !mem.buffer<512> -> memref<128xf32>
    %c = mem.buffer {name = "c"} : !mem.buffer<512>
    %vc = mem.descriptor %c[0, 512] : !mem.buffer<512> -> memref<128xf32>
    mem.kernel "k0" uses(%x : memref<32xf32>) defines(%va : memref<128xf32>)
    mem.kernel "k1" uses(%va : memref<128xf32>) defines(%vb : memref<128xf32>)
    mem.kernel "k2" uses(%vb : memref<128xf32>) defines(%vc : memref<128xf32>)
    mem.kernel "k3" uses(%vc, %vb : memref<128xf32>, memref<128xf32>) defines(%y : memref<32xf32>)
    mem.kernel "k4" uses(%vc, %vb : memref<128xf32>, memref<128xf32>) may_defines(%y : memref<32xf32>)
    mem.kernel "k5" uses(%va : memref<128xf32>) may_defines(%y : memref<32xf32>)
    return
  }
}
