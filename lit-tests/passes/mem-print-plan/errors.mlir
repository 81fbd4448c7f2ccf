// An unknown format and unwritable files are errors, and no file is created.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{format=xml})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORMAT
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{output=%t.none/plan.json})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan{output=%t.dir})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=IS-FOLDER
// RUN: not ls %t.none
// RUN: ls -A %t.dir | count 0

// FORMAT: error: mem-print-plan: unknown value 'xml' for option 'format': expected table, summary, json, csv, html, svg, trace or conflicts
// FOLDER: {{--pass-pipeline:1:[0-9]+|errors.mlir:17:1}}: error: mem-print-plan: cannot write '{{.*}}.none/plan.json': No such file or directory
// IS-FOLDER: {{--pass-pipeline:1:[0-9]+|errors.mlir:17:1}}: error: mem-print-plan: cannot write '{{.*}}.dir': Is a directory

module {
  func.func @f() {
    %a = mem.buffer {name = "a"} : !mem.buffer<16>
    %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
    mem.kernel "w" defines(%0 : memref<16xi8>)
    return
  }
}
