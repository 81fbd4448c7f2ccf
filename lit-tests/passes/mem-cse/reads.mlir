// Redundant loads and computations, and some that only look redundant.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-cse)' | FileCheck %s

// Upstream's cse gives up at the store.
// CHECK-LABEL: func.func @store_elsewhere
// CHECK: %[[X:.*]] = memref.load
// CHECK-NOT: memref.load
// CHECK: return %[[X]], %[[X]]
func.func @store_elsewhere(%a: memref<8xf32>, %v: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<8xf32>
  memref.store %v, %a[%c1] : memref<8xf32>
  %y = memref.load %a[%c0] : memref<8xf32>
  return %x, %y : f32, f32
}

// CHECK-LABEL: func.func @store_there
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[Y:.*]] = memref.load
// CHECK: return %[[X]], %[[Y]]
func.func @store_there(%a: memref<8xf32>, %i: index, %j: index, %v: f32) -> (f32, f32) {
  %x = memref.load %a[%i] : memref<8xf32>
  memref.store %v, %a[%j] : memref<8xf32>
  %y = memref.load %a[%i] : memref<8xf32>
  return %x, %y : f32, f32
}

// CHECK-LABEL: func.func @computed_before
// CHECK: linalg.add
// CHECK-NOT: linalg.add
// CHECK: return
func.func @computed_before(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32> {mem.noalias}) {
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  mem.kernel "look" uses(%c : memref<8xf32>)
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  return
}

// The result may alias an operand, so the first addition may have changed its own input.
// CHECK-LABEL: func.func @computed_from_itself
// CHECK: linalg.add
// CHECK: linalg.add
func.func @computed_from_itself(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>) {
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @not_on_every_path
// CHECK: scf.if
// CHECK: memref.load
// CHECK: memref.load
func.func @not_on_every_path(%a: memref<8xf32>, %i: index, %p: i1) -> f32 {
  scf.if %p {
    %x = memref.load %a[%i] : memref<8xf32>
    mem.kernel "look" may_uses(%a : memref<8xf32>)
    memref.store %x, %a[%i] : memref<8xf32>
  }
  %y = memref.load %a[%i] : memref<8xf32>
  return %y : f32
}
