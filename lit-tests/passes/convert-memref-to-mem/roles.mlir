// Arguments that are written, possibly in a callee or through a view, get the role output. Arguments
// that are only read are inputs. Explicit roles are kept. An argument that escapes may be written.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' | FileCheck %s

// CHECK-LABEL: func.func @read_and_written
// CHECK-SAME: %arg0: memref<4xf32> {mem.role = #mem.role<input>}
// CHECK-SAME: %arg1: memref<4xf32> {mem.role = #mem.role<output>}
// CHECK-SAME: %arg2: f32, %arg3: memref<8xf32> {mem.role = #mem.role<output>}
func.func @read_and_written(%in: memref<4xf32>, %out: memref<4xf32>, %v: f32, %view: memref<8xf32>) {
  memref.copy %in, %out : memref<4xf32> to memref<4xf32>
  %s = memref.subview %view[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%s : memref<4xf32, strided<[1], offset: 4>>)
  return
}

// CHECK-LABEL: func.func @stated
// CHECK-SAME: %arg0: memref<4xf32> {mem.role = #mem.role<constant>}
// CHECK-SAME: %arg1: memref<4xf32> {bufferize.result, mem.role = #mem.role<output>}
func.func @stated(%w: memref<4xf32> {mem.role = #mem.role<constant>}, %r: memref<4xf32> {bufferize.result}) {
  return
}

// CHECK-LABEL: func.func private @callee
// CHECK-SAME: %arg0: memref<4xf32> {mem.role = #mem.role<input>}
// CHECK-SAME: %arg1: memref<4xf32> {mem.role = #mem.role<output>}
func.func private @callee(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @through_a_call
// CHECK-SAME: %arg0: memref<4xf32> {mem.role = #mem.role<input>}
// CHECK-SAME: %arg1: memref<4xf32> {mem.role = #mem.role<output>}
func.func @through_a_call(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @callee(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @through_a_choice
// CHECK-SAME: %arg1: memref<4xf32> {mem.role = #mem.role<output>}
// CHECK-SAME: %arg2: memref<4xf32> {mem.role = #mem.role<output>}
func.func @through_a_choice(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %v: f32) {
  %s = arith.select %c, %a, %b : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%s : memref<4xf32>)
  return
}

func.func private @unknown(memref<4xf32>)
// CHECK-LABEL: func.func @gets_away
// CHECK-SAME: %arg0: memref<4xf32> {mem.role = #mem.role<output>}
func.func @gets_away(%a: memref<4xf32>) {
  call @unknown(%a) : (memref<4xf32>) -> ()
  return
}

// Functions without memory or without a body get no roles.
// CHECK: func.func @no_memory(%arg0: f32) {
func.func @no_memory(%v: f32) { return }
// CHECK: func.func private @no_body(memref<4xf32>)
func.func private @no_body(memref<4xf32>)
