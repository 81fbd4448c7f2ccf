// Planning does not change the memory spaces of the signature of a function that code outside of the module may call: neither
// of an argument, nor of a result. Those of a private function follow its calls.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/right.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/original.mlir})' -o /dev/null
// RUN: not mem-opt %t/argument.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/original.mlir})' -o %t/none 2>&1 \
// RUN:   | FileCheck %s
// RUN: not mem-opt %t/result.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t/original.mlir})' -o %t/none 2>&1 \
// RUN:   | FileCheck %s
// CHECK: error: this 'func.func' has not the attributes that it has in the original program

//--- original.mlir
func.func private @callee(%x: memref<4xf32>) {
  mem.kernel "a" defines(%x : memref<4xf32>)
  return
}
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %b = mem.buffer {name = "b"} : !mem.buffer<16>
  %v = mem.descriptor %b[0, 16] : !mem.buffer<16> -> memref<4xf32>
  func.call @callee(%v) : (memref<4xf32>) -> ()
  mem.kernel "b" uses(%v : memref<4xf32>) defines(%x : memref<4xf32>)
  return %y : memref<4xf32>
}

//--- right.mlir
func.func private @callee(%x: memref<4xf32, 1>) {
  mem.kernel "a" defines(%x : memref<4xf32, 1>)
  return
}
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %a = mem.arena "sram", 16 : !mem.arena<1>
  %b = mem.view %a[0] {name = "b"} : !mem.arena<1> -> !mem.buffer<16, 1>
  %v = mem.descriptor %b[0, 16] : !mem.buffer<16, 1> -> memref<4xf32, 1>
  func.call @callee(%v) : (memref<4xf32, 1>) -> ()
  mem.kernel "b" uses(%v : memref<4xf32, 1>) defines(%x : memref<4xf32>)
  return %y : memref<4xf32>
}

//--- argument.mlir
func.func private @callee(%x: memref<4xf32, 1>) {
  mem.kernel "a" defines(%x : memref<4xf32, 1>)
  return
}
func.func @main(%x: memref<4xf32, 1>, %y: memref<4xf32>) -> memref<4xf32> {
  %a = mem.arena "sram", 16 : !mem.arena<1>
  %b = mem.view %a[0] {name = "b"} : !mem.arena<1> -> !mem.buffer<16, 1>
  %v = mem.descriptor %b[0, 16] : !mem.buffer<16, 1> -> memref<4xf32, 1>
  func.call @callee(%v) : (memref<4xf32, 1>) -> ()
  mem.kernel "b" uses(%v : memref<4xf32, 1>) defines(%x : memref<4xf32, 1>)
  return %y : memref<4xf32>
}

//--- result.mlir
func.func private @callee(%x: memref<4xf32, 1>) {
  mem.kernel "a" defines(%x : memref<4xf32, 1>)
  return
}
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32, 1> {
  %a = mem.arena "sram", 16 : !mem.arena<1>
  %b = mem.view %a[0] {name = "b"} : !mem.arena<1> -> !mem.buffer<16, 1>
  %v = mem.descriptor %b[0, 16] : !mem.buffer<16, 1> -> memref<4xf32, 1>
  func.call @callee(%v) : (memref<4xf32, 1>) -> ()
  mem.kernel "b" uses(%v : memref<4xf32, 1>) defines(%x : memref<4xf32>)
  %z = memref.memory_space_cast %y : memref<4xf32> to memref<4xf32, 1>
  return %z : memref<4xf32, 1>
}
