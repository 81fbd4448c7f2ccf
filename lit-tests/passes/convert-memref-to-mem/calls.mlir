// A summary describes each callee: what it reads, writes and captures, and which arguments a
// result may alias. A caller's buffers are converted if they do not escape through the callee.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

func.func private @layer(%in: memref<4xf32>, %out: memref<4xf32>) {
  memref.copy %in, %out : memref<4xf32> to memref<4xf32>
  return
}
// CHECK-LABEL: func.func @keeps_nothing
func.func @keeps_nothing(%x: memref<4xf32>, %out: memref<4xf32>) {
  // CHECK-NOT: memref.alloc
  // CHECK: mem.buffer
  %a = memref.alloc() : memref<4xf32>
  call @layer(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  call @layer(%a, %out) : (memref<4xf32>, memref<4xf32>) -> ()
  // The same buffer twice.
  call @layer(%a, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  // CHECK-NOT: memref.dealloc
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// The callee returns its argument, so the caller continues with its own buffer.
func.func private @same(%a: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 4>> {
  %s = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  return %s : memref<4xf32, strided<[1], offset: 4>>
}
// CHECK-LABEL: func.func @result_is_an_argument
func.func @result_is_an_argument(%v: f32) {
  // CHECK: mem.buffer
  %a = memref.alloc() : memref<8xf32>
  %r = call @same(%a) : (memref<8xf32>) -> memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%r : memref<4xf32, strided<[1], offset: 4>>)
  return
}

// -----

// The callee returns its own allocation. The caller owns the result and has to free it.
// CHECK-LABEL: func.func private @make
func.func private @make() -> memref<4xf32> {
  // CHECK: memref.alloc()
  // expected-remark @+1 {{its address is returned}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.return'}}
  return %a : memref<4xf32>
}
// CHECK-LABEL: func.func @frees_a_result
func.func @frees_a_result(%out: memref<4xf32>) {
  %a = call @make() : () -> memref<4xf32>
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  // CHECK: memref.dealloc
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// Neither the order of functions in the file nor the depth of calls matters.
// CHECK-LABEL: func.func @top
func.func @top(%x: memref<4xf32>) {
  // CHECK: mem.buffer
  %a = memref.alloc() : memref<4xf32>
  call @middle(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @middle(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @bottom(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @bottom(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Mutual recursion: either function may capture its argument.
func.func private @ping(%a: memref<4xf32>, %c: i1) {
  scf.if %c {
    func.call @pong(%a, %c) : (memref<4xf32>, i1) -> ()
  }
  return
}
func.func private @pong(%a: memref<4xf32>, %c: i1) {
  func.call @ping(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func @into_recursion
func.func @into_recursion(%c: i1) {
  // CHECK: memref.alloc()
  // expected-remark @+1 {{it is passed to @ping, which may keep it}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{by this 'func.call'}}
  call @ping(%a, %c) : (memref<4xf32>, i1) -> ()
  return
}

// -----

// Nested modules are not converted.
// CHECK-LABEL: func.func @outer
func.func @outer() { return }
// CHECK-LABEL: module @inner
module @inner {
  // CHECK: func.func @f
  func.func @f(%v: f32) {
    // CHECK: memref.alloc()
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    return
  }
}
