// If no order has a plan within the budget, the operations have the one that needs the fewest bytes, so that the error states what is enough.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s order=auto optimize=false budget=16})' -o /dev/null 2>&1 | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s order=auto optimize=false budget=96})' -o /dev/null
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s order=auto optimize=false budget=95})' -o /dev/null 2>&1 | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=%s optimize=false budget=96})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT

// CHECK: error: no plan within a budget of {{16|95}} bytes: the widest step needs 96; budget=96 is the smallest that runs
// KEPT: error: no plan within a budget of 96 bytes: the widest step needs 128; budget=128 is the smallest that runs

// The large buffer is carried by a loop, so it does not leave the device before its last access, and neither does the
// small one before the loop is over.
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"device", capacity = 400>, #mem.level<"host">,
    engines = [#mem.engine<"dma", "device" to "host", "host" to "device">]>} {
  func.func @main(%n: index) -> f32 {
    %large = memref.alloc() : memref<96xi8>
    %c4 = arith.constant 4 : index
    %view = memref.view %large[%c4][] : memref<96xi8> to memref<5xf32>
    %small = memref.alloc() : memref<8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last:2 = scf.while (%i = %c0, %at = %view) : (index, memref<5xf32>) -> (index, memref<5xf32>) {
      %more = arith.cmpi ult, %i, %c1 : index
      scf.condition(%more) %i, %at : index, memref<5xf32>
    } do {
    ^bb0(%i: index, %at: memref<5xf32>):
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %at : index, memref<5xf32>
    }
    %a = memref.load %last#1[%n] : memref<5xf32>
    %b = memref.load %small[%n] : memref<8xf32>
    %c = memref.load %last#1[%c1] : memref<5xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    return %abc : f32
  }
}
