// A program and its plan are equivalent: outputs, arguments that are both read and written, and
// results. The plan needs fewer bytes than the allocations.

// RUN: mem-run %s --compare | FileCheck %s
// RUN: mem-run %s --compare --seed 7 -O0 | FileCheck %s

// CHECK: main, seed {{[07]}}
// CHECK: argument 1     memref<16xf32> {{ *}}64  changed    equal {{ *}}0
// CHECK: argument 2     memref<16xf32> {{ *}}64  changed    equal {{ *}}0
// CHECK: result 0       f32 {{.*}} equal
// CHECK: result 1       i32 {{.*}} equal
// CHECK: 1 more arguments, 64 bytes: unchanged and equal
// CHECK: original {{ *[0-9. ]+ }}192{{ *}}3
// CHECK: planned {{ *[0-9. ]+ }}128{{ *}}1
// CHECK: equal: 5 values, 200 bytes

#id = affine_map<(i) -> (i)>

func.func @main(%in: memref<16xf32>, %inout: memref<16xf32>, %out: memref<16xf32>, %n: i32)
    -> (f32, i32) {
  %c3 = arith.constant 3 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  %b = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %c15 = arith.constant 15 : index
    %j = arith.subi %c15, %i : index
    %z = memref.load %a[%j] : memref<16xf32>
    %xz = arith.mulf %x, %z : f32
    %y = arith.addf %x, %xz : f32
    linalg.yield %y : f32
  }
  %c = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%b : memref<16xf32>) outs(%c : memref<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %c15 = arith.constant 15 : index
    %j = arith.subi %c15, %i : index
    %z = memref.load %b[%j] : memref<16xf32>
    %y = arith.subf %x, %z : f32
    linalg.yield %y : f32
  }
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  linalg.add ins(%c, %inout : memref<16xf32>, memref<16xf32>) outs(%inout : memref<16xf32>)
  %r = memref.load %c[%c3] : memref<16xf32>
  return %r, %n : f32, i32
}
