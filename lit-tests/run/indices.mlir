// Random integers that index tables stay within them: those of `types` in a table of two rows, through a view and
// the body of an operation, and the scalar in the columns. The program reads no other bytes, so it computes the same
// whatever surrounds the tables.

// RUN: mem-run %s --compare | FileCheck %s
// RUN: mem-run %s --compare --seed 5 | FileCheck %s

// CHECK: equal: 3 values

#scalar = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%types: memref<1x64xi32>, %table: memref<2x3xf32>, %column: index, %out: memref<64x3xf32>) {
  %flat = memref.collapse_shape %types [[0, 1]] : memref<1x64xi32> into memref<64xi32>
  linalg.generic {indexing_maps = [#scalar, #all], iterator_types = ["parallel", "parallel"]}
    ins(%flat : memref<64xi32>) outs(%out : memref<64x3xf32>) {
  ^bb0(%type: i32, %old: f32):
    %row = arith.index_cast %type : i32 to index
    %at = linalg.index 1 : index
    %one = memref.load %table[%row, %at] : memref<2x3xf32>
    %other = memref.load %table[%row, %column] : memref<2x3xf32>
    %sum = arith.addf %one, %other : f32
    linalg.yield %sum : f32
  }
  return
}
