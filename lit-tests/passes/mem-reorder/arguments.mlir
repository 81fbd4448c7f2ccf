// Arguments that share no byte are ordered like buffers of the function: a write of the one passes a read
// of the other. Arguments that may share bytes are not, and neither is storage of unknown origin, which
// may be any argument.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-reorder{noalias-arguments=true},mem-validate{noalias-arguments=true})' | FileCheck %s --check-prefixes=CHECK,APART
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-reorder,mem-validate)' | FileCheck %s --check-prefixes=CHECK,SHARED

// One of the large buffers is live at a time if %t is written before %s is read.
// CHECK-LABEL: @arguments
// CHECK-SAME: (%[[T:[a-z0-9]+]]: {{.*}}, %[[S:[a-z0-9]+]]: {{.*}}, %{{.*}})
// APART: memref.copy %{{.*}}, %[[T]]
// APART: memref.copy %[[S]]
// SHARED: memref.copy %[[S]]
// SHARED: memref.copy %{{.*}}, %[[T]]
func.func @arguments(%t: memref<1024xf32>, %s: memref<1024xf32>, %out: memref<1024xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %s, %b : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %t : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %out : memref<1024xf32> to memref<1024xf32>
  return
}

func.func private @get() -> memref<1024xf32>

// The call may return %t.
// CHECK-LABEL: @unknown
// CHECK-SAME: (%[[T:[a-z0-9]+]]: {{.*}}, %{{.*}})
// CHECK: %[[S:.*]] = call @get
// CHECK: memref.copy %[[S]]
// CHECK: memref.copy %{{.*}}, %[[T]]
func.func @unknown(%t: memref<1024xf32>, %out: memref<1024xf32>) {
  %c = arith.constant 1.0 : f32
  %s = func.call @get() : () -> memref<1024xf32>
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %s, %b : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %t : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %out : memref<1024xf32> to memref<1024xf32>
  return
}
