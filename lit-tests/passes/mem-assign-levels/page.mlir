// The page works offline: a browser opens it, runs its script, and the script draws
// each level of both plans.
//
// REQUIRES: browser
// UNSUPPORTED: via-plugin
// RUN: rm -rf %t && mkdir %t
// RUN: mem-opt %models/bufferized/squeezenet11_b1.mlir -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu noalias-arguments=true report=%t/plan.html})'
// RUN: env HOME=%t chromium --headless --no-sandbox --disable-gpu --user-data-dir=%t/profile --dump-dom \
// RUN:   file://%t/plan.html 2>/dev/null | FileCheck %s
//
// CHECK: <body data-diagrams="4" data-points="0 {{[0-9]+}}">
// CHECK: @main: initial plan
// CHECK: <canvas tabindex="0" role="img" aria-label="initial plan, sram: peak
// CHECK: @main: plan (
// CHECK: What costs most
// CHECK: rather than in 'sram', which costs
