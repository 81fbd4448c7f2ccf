// A program may copy asynchronously itself. An engine makes the copy beside computation if one works between the
// levels that the plan chooses: the makespan is less than the serial cost. What waits for the copy accesses
// nothing, so other arguments can be in faster levels.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu})' --mlir-pass-statistics -o %t.mlir 2>&1 | FileCheck %s --check-prefix=COST
// RUN: FileCheck %s --input-file %t.mlir
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu dump=-})' -o /dev/null | FileCheck %s --check-prefix=DUMP
// RUN: mem-run --compare --hierarchy npu %s | FileCheck %s --check-prefix=EQUAL

// COST-LABEL: mem-assign-levels
// COST: 65781 cost
// COST: 48325 makespan

// The other argument is read eight times, from a copy.
// CHECK-LABEL: func.func @main
// CHECK: mem.load {{.*}}%arg2 to
// CHECK: scf.for
// CHECK: mem.load async {{.*}} to memref<8x256xf32, 1>

// DUMP: step s{{[0-9]+}} "mem.load" cycles 0 repeats 8 copies m0 block {{[0-9]+}}
// DUMP: step s{{[0-9]+}} "mem.wait" cycles 0 repeats 8 awaits m0 block 1
// DUMP-NEXT: use t{{[0-9]+}} in "dram"
// DUMP-NEXT: use t{{[0-9]+}}
// DUMP-NOT: mem.wait

// EQUAL: equal
func.func @main(%x: memref<64x256xf32> {mem.noalias}, %y: memref<8x256xf32> {mem.noalias}, %w: memref<8x256xf32> {mem.noalias}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<8x256xf32>
  %r = memref.alloc() : memref<8x256xf32>
  scf.for %i = %c0 to %c64 step %c8 {
    %xi = memref.subview %x[%i, 0][8, 256][1, 1] : memref<64x256xf32> to memref<8x256xf32, strided<[256, 1], offset: ?>>
    %t = mem.load async %xi to %a : memref<8x256xf32, strided<[256, 1], offset: ?>> to memref<8x256xf32>
    linalg.exp ins(%w : memref<8x256xf32>) outs(%r : memref<8x256xf32>)
    linalg.exp ins(%r : memref<8x256xf32>) outs(%r : memref<8x256xf32>)
    mem.wait %t
    linalg.add ins(%a, %r : memref<8x256xf32>, memref<8x256xf32>) outs(%y : memref<8x256xf32>)
  }
  return
}
