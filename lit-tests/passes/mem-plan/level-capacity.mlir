// The `capacity` option may be smaller than the level's capacity, but a larger one has no effect. The
// value of a pipeline option is passed on as a single value, whatever it contains.

// RUN: not mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-plan{capacity=250})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: 128 bytes are needed at step 0 ('k'), 64 more than the capacity of 64
// LEVEL: note: 'a' holds 128 bytes there, at offset 0

// RUN: not mem-opt %s -o /dev/null --pass-pipeline='builtin.module(mem-plan{capacity=32})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// OPTION: error: 128 bytes are needed at step 0 ('k'), 96 more than the capacity of 32

// RUN: not mem-opt %s -o /dev/null 2>&1 \
// RUN:   --pass-pipeline='builtin.module(mem-default-pipeline{strategy="lifetime-queue level=other"})' \
// RUN:   | FileCheck %s --check-prefix=ONE
// ONE: error: mem-default-pipeline: unknown value 'lifetime-queue level=other' for option 'strategy'

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"tiny", capacity = 64>>} {
  func.func @f() {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "k" defines(%v : memref<32xf32>)
    return
  }
}
