// Callers provide the arena as the last argument; a generated function returns its required size and
// alignment. Within the module, callers pass a slice of their own arena.

// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan{arena=argument alignment=64})' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan{arena=argument},mem-print-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-memref-pipeline{arena=argument optimize=false})' | FileCheck %s --check-prefix=MEMREF
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-to-llvm-pipeline{arena=argument optimize=false})' | FileCheck %s --check-prefix=LLVM
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-plan{arena=nowhere})' -o %t.none 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not ls %t.none

// NOWHERE: error: mem-plan: unknown value 'nowhere' for option 'arena': expected inside or argument

// PRINT:      @layer: 1 buffer in arena
// PRINT:      @net: 2 buffers in arena
// PRINT-NEXT:   peak 384, lower bound 384

// CHECK-LABEL: func.func @layer_arena() -> (i64, i64)
// CHECK-NEXT:    %[[SIZE:.*]] = arith.constant 256 : i64
// CHECK-NEXT:    %[[ALIGNMENT:.*]] = arith.constant 64 : i64
// CHECK-NEXT:    return %[[SIZE]], %[[ALIGNMENT]]
// CHECK-LABEL: func.func @layer(
// CHECK-SAME:    %[[ARENA:[a-z0-9]+]]: !mem.arena {mem.arena = {alignment = 64 : i64, level = "arena", size = 256 : i64, strategy = "lifetime-queue"}}
// CHECK:         mem.view %[[ARENA]][0]
// MEMREF-LABEL: func.func @layer(
// MEMREF-SAME:    memref<32xf32>, %{{.*}}: memref<32xf32>, %[[ARENA:.*]]: memref<?xi8>)
// MEMREF:         memref.view %[[ARENA]]
// LLVM: llvm.func @layer_arena() -> !llvm.struct<(i64, i64)>
func.func @layer(%x: memref<32xf32>, %y: memref<32xf32>) {
  %t = memref.alloc() : memref<64xf32>
  %low = memref.subview %t[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %high = memref.subview %t[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  linalg.exp ins(%x : memref<32xf32>) outs(%low : memref<32xf32, strided<[1]>>)
  linalg.tanh ins(%low : memref<32xf32, strided<[1]>>) outs(%high : memref<32xf32, strided<[1], offset: 32>>)
  linalg.add ins(%low, %high : memref<32xf32, strided<[1]>>, memref<32xf32, strided<[1], offset: 32>>) outs(%y : memref<32xf32>)
  return
}

// CHECK-LABEL: func.func @net_arena() -> (i64, i64)
// CHECK-NEXT:    arith.constant 384 : i64
// CHECK-LABEL: func.func @net(
// CHECK-SAME:    %[[ARENA:[a-z0-9]+]]: !mem.arena {
// CHECK:         %[[SLICE:.*]] = mem.slice %[[ARENA]][
// CHECK:         call @layer(%{{.*}}, %{{.*}}, %[[SLICE]])
func.func @net(%x: memref<32xf32> {net.name = "x"}, %y: memref<32xf32>) {
  %t = memref.alloc() : memref<32xf32>
  call @layer(%x, %t) : (memref<32xf32>, memref<32xf32>) -> ()
  linalg.exp ins(%t : memref<32xf32>) outs(%y : memref<32xf32>)
  return
}

// No buffers: no arena is needed.
// CHECK-NOT: @empty_arena
// CHECK-LABEL: func.func @empty(
// CHECK-NOT:     !mem.arena
func.func @empty(%x: memref<32xf32>) {
  return
}

// REMARK: remark: @recursive allocates its own arena: it calls itself
// CHECK-LABEL: func.func @recursive(
// CHECK:         mem.arena "arena", 128
func.func @recursive(%n: index, %x: memref<32xf32>, %y: memref<32xf32>) {
  %t = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%t : memref<32xf32>)
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %zero : index
  scf.if %more {
    %rest = arith.subi %n, %one : index
    func.call @recursive(%rest, %x, %y) : (index, memref<32xf32>, memref<32xf32>) -> ()
  }
  linalg.add ins(%t, %y : memref<32xf32>, memref<32xf32>) outs(%y : memref<32xf32>)
  return
}
