// An operation reads two copies. Nothing overwrites the source of one before it is read, so that it is read in its place.
// What is known of the other one's, which one of two arguments is, does not matter: its copy stays.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' | FileCheck %s
// RUN: mem-run %s --compare --pipeline-options='tile=peak' | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal:

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[B:[a-z0-9]+]]: memref<8xf32>)
// CHECK: %[[COPY:.+]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: linalg.copy {{.+}} outs(%[[COPY]] :
// CHECK-NOT: linalg.copy
// CHECK: scf.for
// CHECK-DAG: memref.subview %[[COPY]][
// CHECK-DAG: memref.subview %[[B]][
// CHECK: memref.copy %{{.+}}, %[[B]]
func.func @main(%flag: i1, %one: memref<16xf32>, %other: memref<16xf32>, %b: memref<8xf32>) {
  %either = arith.select %flag, %one, %other : memref<16xf32>
  %part = memref.subview %either[3] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 3>>
  %copy = memref.alloc() : memref<8xf32>
  linalg.copy ins(%part : memref<8xf32, strided<[1], offset: 3>>) outs(%copy : memref<8xf32>)
  %before = memref.alloc() : memref<8xf32>
  linalg.copy ins(%b : memref<8xf32>) outs(%before : memref<8xf32>)
  %sum = memref.alloc() : memref<8xf32>
  linalg.add ins(%copy, %before : memref<8xf32>, memref<8xf32>) outs(%sum : memref<8xf32>)
  %out = memref.alloc() : memref<8xf32>
  linalg.add ins(%sum, %copy : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  memref.copy %out, %b : memref<8xf32> to memref<8xf32>
  return
}
