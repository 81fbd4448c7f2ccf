// Invalid options are errors at the module, which is left unchanged.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=best})' 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{alignment=3})' 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{alignment=-1})' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{alignment=2097152})' 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=-5})' 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{level=l3})' 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=99999999999999999999})' 2>&1 | FileCheck %s --check-prefix=DIGITS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{colour=red})' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{dump=%t.none/dump.mem})' 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem{alignment=3})' 2>&1 | FileCheck %s --check-prefix=ODD

// STRATEGY: error: mem-plan: unknown value 'best' for option 'strategy': expected auto, exact, first-fit, genetic, greedy-by-conflict, greedy-by-size, lifetime-queue or tightest-first
// ODD: error: {{mem-plan|convert-memref-to-mem}}: invalid value for option 'alignment': an alignment of 3 bytes is not a power of two between 1 and 1048576
// NEGATIVE: error: mem-plan: invalid value for option 'alignment': an alignment of -1 bytes is not a power of two
// HUGE: error: mem-plan: invalid value for option 'alignment': an alignment of 2097152 bytes is not a power of two between 1 and 1048576
// CAPACITY: error: mem-plan: invalid value for option 'capacity': '-5' is negative
// LEVEL: error: mem-plan: the module's mem.hierarchy has no level 'l3'; it has sram, dram
// DIGITS: 99999999999999999999
// NAME: error: mem-plan: no such option 'colour': expected strategy, level, capacity
// DUMP: error: mem-plan: cannot write {{.*}}.none/dump.mem: No such file or directory

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 64>, #mem.level<"dram">>} {
  func.func @f() {
    %a = mem.buffer {name = "a"} : !mem.buffer<16>
    %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<16xi8>
    mem.kernel "w" defines(%0 : memref<16xi8>)
    return
  }
}
