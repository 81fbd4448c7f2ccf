// Engines copy rows tile by tile, while other tiles are executed: those that the next tile reads to one of two
// stages, and those that the last one has written from another. The first rows are copied before all tiles, the
// last ones after them. In the loop, two tiles use both stages by turns.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time hierarchy=npu capacity=16384 stream=true})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time hierarchy=npu capacity=16384})' | FileCheck %s --check-prefix=PLAIN
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time hierarchy=microcontroller capacity=16384 stream=true})' | FileCheck %s --check-prefix=LEVELS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time hierarchy=npu capacity=16384 stream=true break=late-wait})' 2>&1 | FileCheck %s --check-prefix=LATE
// The pipeline compares plans with streams and without.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu capacity=16384 tile=fit noalias-arguments=true})' | FileCheck %s --check-prefix=PLANNED
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time hierarchy=npu capacity=16384 stream=true},mem-default-pipeline{hierarchy=npu capacity=16384 noalias-arguments=true report=%t.trace})' -o /dev/null
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.trace
// RUN: mem-run --compare --hierarchy npu --pipeline-options 'tile=fit capacity=16384' %s | FileCheck %s --check-prefix=EQUAL

// CHECK-LABEL: func.func @main(%arg0: memref<256x64xf32>
// CHECK: mem.load %{{.*}} to %[[EVEN:.*]] {mem.group = 0 : i64}
// CHECK: %[[T:.*]] = mem.load async %{{.*}} to %[[ODD:.*]] {mem.group = 0 : i64}
// CHECK: linalg.exp {{.*}}ins(%[[EVEN]]
// CHECK: mem.wait %[[T]]
// CHECK: scf.for
// CHECK: %[[U:.*]] = mem.load async %{{.*}} to %[[EVEN]]
// CHECK: linalg.exp {{.*}}ins(%[[ODD]]
// CHECK: mem.wait %[[U]]
// CHECK: %[[V:.*]] = mem.load async %{{.*}} to %[[ODD]]
// CHECK: linalg.exp {{.*}}ins(%[[EVEN]]
// CHECK: mem.wait %[[V]]
// CHECK: }

// PLAIN-LABEL: func.func @main
// PLAIN: scf.for
// PLAIN-NOT: mem.load

// Without a group that saves time, nothing is copied.
// LEVELS-LABEL: func.func @main

// LATE: error: internal error in mem-tile: operand 0 of operation s0: row 12 does not hold its value; please report it
// LATE: note: operation s0 is this 'linalg.exp'

// PLANNED-LABEL: func.func @main
// PLANNED: mem.load async %{{.*}} : memref<{{[0-9]+}}x64xf32, strided<[64, 1]{{.*}}>> to memref<{{[0-9]+}}x64xf32, 1>

// The copies are on the track of the engine.
// TRACE: "cat":"copy"{{.*}}"name":"mem.load"

// EQUAL: copies by engines
// EQUAL: equal: 3 values, 196608 bytes
func.func @main(%x: memref<256x64xf32>, %w: memref<256x64xf32>, %out: memref<256x64xf32>) {
  %a = memref.alloc() : memref<256x64xf32>
  %b = memref.alloc() : memref<256x64xf32>
  %c = memref.alloc() : memref<256x64xf32>
  linalg.exp ins(%x : memref<256x64xf32>) outs(%a : memref<256x64xf32>)
  linalg.exp ins(%a : memref<256x64xf32>) outs(%b : memref<256x64xf32>)
  linalg.add ins(%b, %w : memref<256x64xf32>, memref<256x64xf32>) outs(%c : memref<256x64xf32>)
  memref.copy %c, %out : memref<256x64xf32> to memref<256x64xf32>
  return
}
