// MEM_OPT_TRACE prints what extraction and the planners decide, and nothing else; the plan stays the same.
//
// RUN: env MEM_OPT_TRACE=extract,plan mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' 2>&1 >%t.traced | FileCheck %s --check-prefix=PLAN
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t.plain 2>&1 | count 0
// RUN: diff %t.traced %t.plain
// PLAN: extract: @main: {{[0-9]+}} steps, {{[0-9]+}} buffers
// PLAN: plan: lifetime-queue: peak 512, lower bound 512
// PLAN-NOT: levels:

// RUN: env MEM_OPT_TRACE=levels mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu noalias-arguments=true})' 2>&1 >/dev/null | FileCheck %s --check-prefix=LEVELS
// LEVELS-NOT: plan:
// LEVELS: levels: {{[a-z-]+}}: {{[0-9]+}} cycles
// LEVELS: levels: chosen: {{[a-z-]+}}, serial cost {{[0-9]+}}, lower bound {{[0-9]+}}

// RUN: env MEM_OPT_TRACE=offload mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu noalias-arguments=true budget=768})' 2>&1 >/dev/null | FileCheck %s --check-prefix=BUDGET
// BUDGET: offload: copies alone: makespan {{[0-9]+}}
// BUDGET: offload: chosen: {{[0-9]+}} repetitions, makespan {{[0-9]+}}

// UNSUPPORTED: via-plugin

// RUN: not env MEM_OPT_TRACE=plans mem-opt %s 2>&1 >/dev/null | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: mem-opt: error: unknown value 'plans' for MEM_OPT_TRACE: expected extract, plan, levels, offload, tiles, order

func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.transpose ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) permutation = [0]
  linalg.add ins(%b, %a : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
