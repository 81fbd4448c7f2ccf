// A buffer stays where it is if it is not known what accesses it, or if it is accessed while it is copied.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-offload-streams{hierarchy=gpu})' | FileCheck %s
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload-streams{hierarchy=microcontroller})' 2>&1 | FileCheck %s --check-prefix=NPU
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload-streams)' 2>&1 | FileCheck %s --check-prefix=NONE
//
// NPU: error: mem-offload-streams: the hierarchy is no device and its host: its levels are {{.*}}
// NONE: error: there is no memory hierarchy

func.func private @other(memref<32xf32>)

// CHECK-LABEL: func.func @known_to_others
// CHECK-NOT: host
func.func @known_to_others(%x: memref<32xf32>, %z: memref<8xf32>) {
  %a = memref.alloc() : memref<32xf32>
  %stage = memref.alloc() : memref<8xf32>
  call @other(%a) : (memref<32xf32>) -> ()
  %rows = memref.subview %a[0] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1]>>
  mem.load %rows to %stage : memref<8xf32, strided<[1]>> to memref<8xf32>
  linalg.exp ins(%stage : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @both_in_one_loop
// CHECK-NOT: host
func.func @both_in_one_loop(%x: memref<32xf32>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  %stage = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c32 step %c8 {
    linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
    %rows = memref.subview %a[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    mem.load %rows to %stage : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    linalg.exp ins(%stage : memref<8xf32>) outs(%z : memref<8xf32>)
  }
  return
}

// Arguments are on the device.
// CHECK-LABEL: func.func @argument
// CHECK-NOT: host
func.func @argument(%a: memref<32xf32>, %z: memref<8xf32>) {
  %stage = memref.alloc() : memref<8xf32>
  %rows = memref.subview %a[0] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1]>>
  mem.load %rows to %stage : memref<8xf32, strided<[1]>> to memref<8xf32>
  linalg.exp ins(%stage : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}
