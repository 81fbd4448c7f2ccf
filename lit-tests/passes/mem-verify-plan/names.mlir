// Attributes, which survive printing, determine which placements belong to one tensor: the verdict on
// a plan is the same before it is written and after it is read back. Names in locations, which
// printing drops, have no effect, neither on arguments nor on buffers named like arguments.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu noalias-arguments=true},mem-verify-plan)' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null
// RUN: mem-opt %t.mlir --mlir-print-debuginfo --pass-pipeline='builtin.module(mem-verify-plan)' -o %t.debug.mlir
// RUN: mem-opt %t.debug.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null
//
// Without the store, the caller does not get the result.
// RUN: sed '0,/mem.store/{/mem.store/d}' %t.mlir > %t.first.mlir
// RUN: not mem-opt %t.first.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=STORE
// STORE: error: '{{x|arg1}}' is not up to date when the function returns
// RUN: tac %t.mlir | sed '0,/mem.store/{/mem.store/d}' | tac > %t.last.mlir
// RUN: not mem-opt %t.last.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=STORE
//
// Without its name, an argument is a different tensor: its copy in the arena was never written.
// RUN: sed 's/mem.name = "[a-z0-9]*", //' %t.mlir > %t.nameless.mlir
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mem.mlir
// RUN: not mem-opt %t.nameless.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir noalias-arguments=true})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: error: {{.*}}the original program

// CHECK-LABEL: func.func @argument_locations(
// CHECK-SAME: memref<512xf32> {mem.name = "x"
// CHECK: mem.view {{.*}} name = "x"
// CHECK: mem.store
func.func @argument_locations(%arg0: memref<512xf32> loc("w"), %arg1: memref<512xf32> loc("x")) {
  %a = memref.alloc() : memref<512xf32> loc("a")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.exp ins(%arg0: memref<512xf32>) outs(%a: memref<512xf32>)
    linalg.add ins(%a, %arg1: memref<512xf32>, memref<512xf32>) outs(%arg1: memref<512xf32>)
    linalg.add ins(%a, %arg1: memref<512xf32>, memref<512xf32>) outs(%arg1: memref<512xf32>)
    linalg.add ins(%a, %arg1: memref<512xf32>, memref<512xf32>) outs(%arg1: memref<512xf32>)
  }
  return
}

// CHECK-LABEL: func.func @buffers_called_like_arguments(
func.func @buffers_called_like_arguments(%arg0: memref<512xf32> loc("w"), %arg1: memref<512xf32> loc("x")) {
  %a = memref.alloc() : memref<512xf32> loc("arg0")
  %b = memref.alloc() : memref<512xf32> loc("arg1")
  %c = memref.alloc() : memref<512xf32> loc("x")
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.exp ins(%arg0: memref<512xf32>) outs(%a: memref<512xf32>)
    linalg.tanh ins(%a: memref<512xf32>) outs(%b: memref<512xf32>)
    linalg.add ins(%a, %b: memref<512xf32>, memref<512xf32>) outs(%c: memref<512xf32>)
    linalg.add ins(%arg0, %b: memref<512xf32>, memref<512xf32>) outs(%c: memref<512xf32>)
    linalg.add ins(%c, %arg0: memref<512xf32>, memref<512xf32>) outs(%c: memref<512xf32>)
    linalg.add ins(%c, %arg0: memref<512xf32>, memref<512xf32>) outs(%c: memref<512xf32>)
    linalg.add ins(%c, %b: memref<512xf32>, memref<512xf32>) outs(%arg1: memref<512xf32>)
    linalg.add ins(%c, %arg0: memref<512xf32>, memref<512xf32>) outs(%arg1: memref<512xf32>)
  }
  return
}

// A buffer named like a placement of a global is not a placement of it.
// CHECK-LABEL: func.func @buffer_called_like_a_global(
// CHECK-NOT: name = "@g"
memref.global "private" @g : memref<512xf32> = uninitialized
func.func @buffer_called_like_a_global(%x: memref<512xf32>, %y: memref<512xf32>) {
  %g = memref.get_global @g : memref<512xf32>
  %a = memref.alloc() : memref<512xf32> loc("@g")
  linalg.exp ins(%x: memref<512xf32>) outs(%g: memref<512xf32>)
  linalg.tanh ins(%x: memref<512xf32>) outs(%a: memref<512xf32>)
  linalg.add ins(%a, %g: memref<512xf32>, memref<512xf32>) outs(%y: memref<512xf32>)
  return
}
