// mem-default-pipeline: from allocations to verified addresses. Six operations with one allocation
// each; their inputs are {} {0} {0} {2} {1,3} {4}. The strategy can produce exactly one plan for this
// example, which meets the lower bound: 2048 + 2048 + 1024 at operation 2.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s
//
// A planned module is unchanged.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' -o %t.once
// RUN: mem-opt %t.once --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' -o %t.twice
// RUN: cmp %t.once %t.twice
//
// The same result between other passes, and with the passes run one by one.
// RUN: mem-opt %s --pass-pipeline='builtin.module(canonicalize,mem-default-pipeline{optimize=false},cse)' -o %t.middle
// RUN: cmp %t.once %t.middle
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' -o %t.steps
// RUN: cmp %t.once %t.steps

// CHECK-LABEL: func.func @six
// CHECK-SAME: {mem.role = #mem.role<input>}
// CHECK: %[[ARENA:.*]] = mem.arena "arena", 5120
func.func @six(%x: memref<512xf32>) {
  // CHECK: mem.view %[[ARENA]][0] {{.*}} -> !mem.buffer<2048>
  %0 = memref.alloc() : memref<512xf32>
  mem.kernel "0" uses(%x : memref<512xf32>) defines(%0 : memref<512xf32>)
  // CHECK: mem.view %[[ARENA]][2048] {{.*}} -> !mem.buffer<2048>
  %1 = memref.alloc() : memref<512xf32>
  mem.kernel "1" uses(%0 : memref<512xf32>) defines(%1 : memref<512xf32>)
  // CHECK: mem.view %[[ARENA]][4096] {{.*}} -> !mem.buffer<1024>
  %2 = memref.alloc() : memref<256xf32>
  mem.kernel "2" uses(%0 : memref<512xf32>) defines(%2 : memref<256xf32>)
  // 0 is dead.
  // CHECK: mem.view %[[ARENA]][0] {{.*}} -> !mem.buffer<2048>
  %3 = memref.alloc() : memref<512xf32>
  mem.kernel "3" uses(%2 : memref<256xf32>) defines(%3 : memref<512xf32>)
  // 2 is dead.
  // CHECK: mem.view %[[ARENA]][4096] {{.*}} -> !mem.buffer<1024>
  %4 = memref.alloc() : memref<256xf32>
  mem.kernel "4" uses(%1, %3 : memref<512xf32>, memref<512xf32>) defines(%4 : memref<256xf32>)
  // 1 and 3 are dead: their free blocks merge.
  // CHECK: mem.view %[[ARENA]][0] {{.*}} -> !mem.buffer<4096>
  %5 = memref.alloc() : memref<1024xf32>
  mem.kernel "5" uses(%4 : memref<256xf32>) defines(%5 : memref<1024xf32>)
  return
}
