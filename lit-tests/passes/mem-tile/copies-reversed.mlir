// An operation with an index that runs backwards in its result reads the source of a copy. Its dimension is parallel because it says so.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=peak})' | FileCheck %s
// RUN: mem-run %s --function=main --pipeline-options='tile=peak' --compare | FileCheck %s --check-prefix=EQUAL

// EQUAL: equal:

// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg.copy
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]{{.*}} ins(%arg0
func.func @main(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}) {
  %copy = memref.alloc() : memref<8xf32>
  linalg.copy ins(%in : memref<8xf32>) outs(%copy : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (-i + 7)>], iterator_types = ["parallel"]}
      ins(%copy : memref<8xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}
