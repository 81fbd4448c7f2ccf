// For the least time in a hierarchy, tensors without room in the fast level run tile by tile: the
// windows are in the SRAM, and only the first operand and the last result are in DRAM. Rows of the operand are
// copied to the SRAM while other tiles are executed. What has room is not divided.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu capacity=16384 tile=fit noalias-arguments=true})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu tile=fit noalias-arguments=true})' | FileCheck %s --check-prefix=ROOM
// RUN: mem-run --compare --hierarchy npu --pipeline-options 'tile=fit capacity=16384' %s | FileCheck %s --check-prefix=EQUAL

// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK: mem.load async %{{.*}} : memref<[[ROWS:[0-9]+]]x64xf32, strided<[64, 1], offset: ?>> to memref<[[ROWS]]x64xf32, 1>
// CHECK: linalg.exp {{.*}}ins(%{{.*}} : memref<[[ROWS]]x64xf32, 1>) outs(%{{.*}} : memref<[[ROWS]]x64xf32, 1>)
// CHECK: linalg.exp {{.*}}ins(%{{.*}} : memref<{{[0-9]+}}x64xf32, 1>) outs(%{{.*}} : memref<{{[0-9]+}}x64xf32, 1>)
// CHECK: linalg.exp {{.*}}ins(%{{.*}} : memref<{{[0-9]+}}x64xf32, 1>) outs(%{{.*}} : memref<{{[0-9]+}}x64xf32, strided<[64, 1], offset: ?>>)

// ROOM-LABEL: func.func @main
// ROOM-NOT: scf.for

// EQUAL: equal
func.func @main(%x: memref<256x64xf32>, %out: memref<256x64xf32>) {
  %a = memref.alloc() : memref<256x64xf32>
  %b = memref.alloc() : memref<256x64xf32>
  %c = memref.alloc() : memref<256x64xf32>
  linalg.exp ins(%x : memref<256x64xf32>) outs(%a : memref<256x64xf32>)
  linalg.exp ins(%a : memref<256x64xf32>) outs(%b : memref<256x64xf32>)
  linalg.exp ins(%b : memref<256x64xf32>) outs(%c : memref<256x64xf32>)
  memref.copy %c, %out : memref<256x64xf32> to memref<256x64xf32>
  return
}
