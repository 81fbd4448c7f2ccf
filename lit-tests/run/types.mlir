// Every numeric type as an argument and a result, and dimensions known only at run time.

// RUN: mem-run %s --compare --all --dim 3 | FileCheck %s

// CHECK-DAG: argument 0 {{ *}}memref<?x2xf16> {{ *}}12 {{.*}}equal {{ *}}0
// CHECK-DAG: argument 1 {{ *}}memref<4xbf16> {{ *}}8 {{.*}}equal {{ *}}0
// CHECK-DAG: argument 2 {{ *}}memref<4xf64> {{ *}}32 {{.*}}equal {{ *}}0
// CHECK-DAG: argument 3 {{ *}}memref<4xi1> {{ *}}4 {{.*}}equal
// CHECK-DAG: argument 4 {{ *}}memref<0xi8> {{ *}}0 {{.*}}equal
// CHECK-DAG: argument 5 {{ *}}memref<4xi16> {{ *}}8 {{.*}}equal
// CHECK-DAG: argument 6 {{ *}}memref<4xindex> {{ *}}32 {{.*}}equal
// CHECK-DAG: argument 7 {{ *}}memref<i64> {{ *}}8  changed {{ *}}equal
// CHECK-DAG: result 0 {{ *}}i1 {{ *}}1 {{.*}}equal
// CHECK-DAG: result 1 {{ *}}f64 {{ *}}8 {{.*}}equal
// CHECK-DAG: result 2 {{ *}}f16 {{ *}}2 {{.*}}equal
// CHECK-DAG: result 3 {{ *}}index {{ *}}8 {{.*}}equal
// CHECK: equal: 12 values, 123 bytes

func.func @main(%a: memref<?x2xf16>, %b: memref<4xbf16>, %c: memref<4xf64>, %d: memref<4xi1>,
                %e: memref<0xi8>, %f: memref<4xi16>, %g: memref<4xindex>, %h: memref<i64>,
                %i: i1, %j: f64, %k: f16, %l: index) -> (i1, f64, f16, index) {
  %c8 = arith.constant 8 : i64
  memref.store %c8, %h[] : memref<i64>
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c2, %c1] : memref<?x2xf16>
  memref.store %x, %a[%c1, %c1] : memref<?x2xf16>
  return %i, %j, %k, %l : i1, f64, f16, index
}
