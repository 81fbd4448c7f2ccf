// What cannot be bufferized is an error at the operation, with a hint at what lowers it.

// RUN: mem-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --pass-pipeline='builtin.module(mem-from-linalg-pipeline)'

func.func @tosa(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{'tosa.abs' on tensors cannot be bufferized; lower it to linalg, tensor, scf and arith first}}
  // expected-note @+1 {{mlir-opt --tosa-to-linalg-pipeline lowers this dialect}}
  %a = tosa.abs %x : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

func.func @torch(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+2 {{'tm_tensor.scan' on tensors cannot be bufferized}}
  // expected-note @+1 {{tm-tensor-to-loops of torch-mlir-opt lowers this dialect}}
  %a = "tm_tensor.scan"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

func.func @unknown(%x: tensor<8xf32>) {
  // expected-error @+1 {{'my.operation' on tensors cannot be bufferized}}
  "my.operation"(%x) : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @branch(%x: tensor<8xf32>) {
  // expected-error @+1 {{'my.branch' op transformation does not support terminators with successors not implementing BranchOpInterface}}
  "my.branch"() [^next, ^next] : () -> ()
^next:
  return
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{mem-bufferize: 'gpu.func' still has tensors}}
  gpu.func @kernel(%x: tensor<8xf32>) {
    gpu.return
  }
}
func.func @beside(%x: tensor<8xf32>) {
  return
}

// -----

// Upstream's bufferization would store bytes that nothing has written.
ml_program.global private mutable @state(dense<0> : tensor<i64>) : tensor<i64>
func.func @stores(%x: tensor<i64>) -> tensor<i64> {
  %s = ml_program.global_load @state : tensor<i64>
  %a = arith.addi %s, %x : tensor<i64>
  // expected-error @+1 {{'ml_program.global_store' on tensors cannot be bufferized}}
  ml_program.global_store @state = %a : tensor<i64>
  return %a : tensor<i64>
}
