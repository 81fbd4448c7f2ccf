// MLIR's verifier runs while the plan that has been written is compared with the original, at the same time if the
// context has threads, and its errors are those of the pass.
//
// DEFINE: %{opt} = not mem-opt %s --mlir-very-unsafe-disable-verifier-on-parsing
// RUN: %{opt} --pass-pipeline='builtin.module(mem-plan)' 2>&1 | FileCheck %s
// RUN: %{opt} --pass-pipeline='builtin.module(mem-plan)' --mlir-disable-threading 2>&1 | FileCheck %s
// RUN: %{opt} --pass-pipeline='builtin.module(mem-assign-levels{hierarchy=gpu})' 2>&1 | FileCheck %s
// RUN: %{opt} --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu budget=32})' 2>&1 | FileCheck %s

// CHECK-NOT: error:
// CHECK: verifier.mlir:[[# @LINE + 8]]:{{[0-9]+}}: error: 'arith.addi' op requires the same type
// CHECK-NOT: error:
// CHECK-NOT: func.func
func.func @main(%in: memref<8xf32>, %out: memref<8xf32> {bufferize.result}, %narrow: i32, %wide: i64) -> i32 {
  %a = mem.buffer : !mem.buffer<32>
  %0 = mem.descriptor %a[0, 32] : !mem.buffer<32> -> memref<8xf32>
  linalg.add ins(%in, %in : memref<8xf32>, memref<8xf32>) outs(%0 : memref<8xf32>)
  linalg.add ins(%0, %in : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  %sum = "arith.addi"(%narrow, %wide) : (i32, i64) -> i32
  return %sum : i32
}
