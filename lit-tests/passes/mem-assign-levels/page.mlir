// The page works offline: a browser opens it, runs its script, and the script finds both diagrams.
//
// REQUIRES: browser
// UNSUPPORTED: via-plugin
// RUN: rm -rf %t && mkdir %t
// RUN: mem-opt %models/bufferized/squeezenet11_b1.mlir -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu noalias-arguments=true report=%t/plan.html})'
// RUN: env HOME=%t chromium --headless --no-sandbox --disable-gpu --user-data-dir=%t/profile --dump-dom \
// RUN:   file://%t/plan.html 2>/dev/null | FileCheck %s
//
// CHECK: <body data-diagrams="2">
// CHECK: <h1>@main</h1>
