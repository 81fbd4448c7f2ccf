// Pipelines write a report on their plan into a file, whose name states the format: without a hierarchy
// the picture of mem-print-plan, with one what the planner of its levels reports, with costs.
//
// RUN: mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-default-pipeline{report=%t.html})'
// RUN: FileCheck %s --check-prefix=PAGE < %t.html
// PAGE: <title>
// RUN: mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-default-pipeline{report="%t.a json.json"})'
// RUN: FileCheck %s --check-prefix=JSON < "%t.a json.json"
// JSON: "tool": "mem-opt"
//
// RUN: mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu report=%t.json})'
// RUN: FileCheck %s --check-prefix=COST < %t.json
// COST-DAG: "cost": [[#]]
// COST-DAG: "transfers": [
// RUN: mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=gpu budget=600 report=%t.trace})'
// RUN: FileCheck %s --check-prefix=TRACE < %t.trace
// TRACE: "traceEvents"
//
// RUN: not mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu report=%t.txt})' 2>&1 | FileCheck %s --check-prefix=LEVELS
// LEVELS: error: mem-default-pipeline: invalid value for option 'report': cannot tell what to write into '{{.*}}.txt': it ends in none of .svg, .html, .json, .trace
// RUN: not mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-default-pipeline{report=%t.txt})' 2>&1 | FileCheck %s --check-prefix=LEVELS

func.func @two(%x: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  %b = memref.alloc() : memref<32xf32>
  linalg.exp ins(%a : memref<32xf32>) outs(%b : memref<32xf32>)
  linalg.add ins(%a, %b : memref<32xf32>, memref<32xf32>) outs(%x : memref<32xf32>)
  return
}
