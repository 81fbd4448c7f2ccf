// Names come from the program and may contain anything; tables and diagnostics escape terminal control characters.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-print-plan)' -o /dev/null > %t.table 2>&1
// RUN: FileCheck %s --check-prefix=TABLE < %t.table
// RUN: not grep -P "\x1b" %t.table
// TABLE: {{^ +a\\u\{1b\}\[31m }}
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=16})' > %t.error 2>&1
// RUN: FileCheck %s --check-prefix=ERROR < %t.error
// ERROR: 'a\u{1b}[31m'

func.func @f(%x: memref<16xf32>) {
  %b = mem.buffer {name = "a\1B[31m"} : !mem.buffer<64>
  %a = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  mem.kernel "a" defines(%a : memref<16xf32>)
  mem.kernel "use" uses(%a : memref<16xf32>) defines(%x : memref<16xf32>)
  return
}
