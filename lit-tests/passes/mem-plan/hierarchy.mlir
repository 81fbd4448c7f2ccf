// The arena is in the slowest level of the module's hierarchy unless the option names another. Every
// address respects the alignment of the level, and the arena respects its capacity.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue level=sram})' | FileCheck %s --check-prefix=SRAM
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue level=sram capacity=100})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LESS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{level=tiny})' 2>&1 | FileCheck %s --check-prefix=TINY

// LESS: 110 bytes are needed at step 1 ('w'), 10 more than the capacity of 100
// TINY: more than the capacity of 8
module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"tiny", capacity = 8>,
    #mem.level<"sram", capacity = 160, alignment = 32>,
    #mem.level<"dram", alignment = 128>>} {
  // CHECK-LABEL: func.func @f
  // SRAM-LABEL: func.func @f
  func.func @f() {
    // CHECK: %[[ARENA:.*]] = mem.arena "dram", 228 {alignment = 128 : i64, proven_bound = 138 : i64, strategy = "lifetime-queue"}
    // SRAM: %[[ARENA:.*]] = mem.arena "sram", 132 {alignment = 32 : i64, proven_bound = 132 : i64, strategy = "lifetime-queue"}
    %a = mem.buffer {name = "a"} : !mem.buffer<10>
    %0 = mem.descriptor %a[0, 10] : !mem.buffer<10> -> memref<10xi8>
    mem.kernel "w" defines(%0 : memref<10xi8>)
    // CHECK: mem.view %[[ARENA]][128] {alignment = 128 : i64, name = "b"}
    // SRAM: mem.view %[[ARENA]][32] {alignment = 32 : i64, name = "b"}
    %b = mem.buffer {name = "b"} : !mem.buffer<100>
    %1 = mem.descriptor %b[0, 100] : !mem.buffer<100> -> memref<100xi8>
    mem.kernel "w" uses(%0 : memref<10xi8>) defines(%1 : memref<100xi8>)
    mem.kernel "r" uses(%0, %1 : memref<10xi8>, memref<100xi8>) defines(%1 : memref<100xi8>)
    return
  }
}
