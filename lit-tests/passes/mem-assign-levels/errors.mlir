// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels)' --verify-diagnostics --split-input-file -o /dev/null
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels)' %S/inputs/plain.mlir -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not ls %t.out
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=nowhere})' %S/inputs/plain.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAME
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=%S/inputs/plain.mlir})' %S/inputs/plain.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FILE
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=npu strategy=magic})' %S/inputs/plain.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRATEGY
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=npu capacity=0})' %S/inputs/plain.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CAPACITY
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=npu alignment=3})' %S/inputs/plain.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALIGNMENT

// RUN: not mem-opt --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu strategy=exact})' \
// RUN:   %models/small/unet_32px_b1.mlir -o %t.out 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: not ls %t.out

// EXACT: error: mem-assign-levels: exact: the program has loops, or too many plans to look at (more than 2000000 states)
// RUN: not mem-opt --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=npu strategy=local-search segment=0})' \
// RUN:   %S/inputs/plain.mlir 2>&1 | FileCheck %s --check-prefix=SEGMENT

// SEGMENT: error: mem-assign-levels: invalid value '0' for option 'segment': expected a number, at least 1
// NONE: error: there is no memory hierarchy: neither an option, nor a 'mem.hierarchy' of the module
// NAME: error: no hierarchy 'nowhere': there are microcontroller, npu, gpu, npu-3, gpu-workgroup, and there is no such file
// FILE: plain.mlir' is not a module with a 'mem.hierarchy'
// STRATEGY: error: mem-assign-levels: unknown value 'magic' for option 'strategy': expected auto, exact, initial
// CAPACITY: error: mem-assign-levels: a capacity of 0 bytes is not positive
// ALIGNMENT: error: mem-assign-levels: invalid value for option 'alignment': an alignment of 3 bytes is not a power of two

// All levels have a bounded capacity, and one step needs more.
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", capacity = 128>, #mem.level<"slow", capacity = 256>>} {
  func.func @full() {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<160>
    %vb = mem.descriptor %b[0, 160] : !mem.buffer<160> -> memref<40xf32>
    %c = mem.buffer {name = "c"} : !mem.buffer<160>
    %vc = mem.descriptor %c[0, 160] : !mem.buffer<160> -> memref<40xf32>
    mem.kernel "a" defines(%va : memref<32xf32>)
    // expected-error@+2 {{does not fit into 'slow' here: 64 B are missing}}
    // expected-note@+1 {{'slow' has 256 B; alive in it: 'b' (160 B)}}
    mem.kernel "b" uses(%va : memref<32xf32>) defines(%vb, %vc : memref<40xf32>, memref<40xf32>)
    mem.kernel "c" uses(%va, %vb, %vc : memref<32xf32>, memref<40xf32>, memref<40xf32>)
    return
  }
}

// -----

// An operand that is accepted in only one level, which is too small.
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", capacity = 64>, #mem.level<"slow">,
    operands = [#mem.operand<"matrix", 0, "fast">]>} {
  func.func @required() {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" defines(%va : memref<32xf32>)
    // expected-error@+2 {{'a' of 128 B does not fit into 'fast' here: 64 B are missing}}
    // expected-note@+1 {{'fast' has 64 B; nothing else is alive in it}}
    mem.kernel "matrix" uses(%va : memref<32xf32>)
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast">>} {
  func.func @space(%x: memref<32xf32, #mem.space<"flash">>) { // expected-error {{the hierarchy has no level 'flash'}}
    mem.kernel "a" uses(%x : memref<32xf32, #mem.space<"flash">>)
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast">>} {
  func.func @planned() {
    %arena = mem.arena "fast", 128 : !mem.arena
    // expected-error@+1 {{'a' has a place in an arena already}}
    %a = mem.view %arena[0] {name = "a"} : !mem.arena -> memref<32xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<128>
    %v = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<32xf32>
    mem.kernel "a" defines(%a, %v : memref<32xf32>, memref<32xf32>)
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast">>} {
  func.func @cores(%x: memref<32xf32>) {
    // expected-error@+1 {{runs on a core of its own: levels are assigned to programs of one core only}}
    mem.kernel "a" uses(%x : memref<32xf32>) {core = 1}
    return
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast">>} {
  func.func @escapes() -> memref<32xf32> {
    // expected-error@+1 {{buffer 'a' cannot be planned: its address is returned}}
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    // expected-note@+1 {{by this 'func.return'}}
    return %va : memref<32xf32>
  }
}

// -----

module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"fast", capacity = 512>, #mem.level<"slow">,
    operands = [#mem.operand<"matrix", 0, "fast">, #mem.operand<"matrix", 1, "slow">]>} {
  func.func @contradiction() {
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %va = mem.descriptor %a[0, 64] : !mem.buffer<128> -> memref<16xf32>
    %vb = mem.descriptor %a[64, 64] : !mem.buffer<128> -> memref<16xf32>
    mem.kernel "a" defines(%va, %vb : memref<16xf32>, memref<16xf32>)
    // expected-error@+1 {{accepts 'a' in no level: its operands in that buffer have to be in different levels}}
    mem.kernel "matrix" uses(%va, %vb : memref<16xf32>, memref<16xf32>)
    return
  }
}
