// Kernels are launched on what has been planned: each pair of steps needs two of the buffers, +4096 (2 * 2048).
// Launches that proceed by themselves keep their operands in use until they are waited for, but only for
// accesses that do not start after them.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,convert-memref-to-mem,mem-plan,mem-verify-plan,mem-validate{noalias-arguments=true})' -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VALID --allow-empty
// RUN: FileCheck %s --input-file %t.mlir
// VALID-NOT: {{warning|remark}}

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double(%x: memref<512xf32>, %y: memref<512xf32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<512xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %y[%i] : memref<512xf32>
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @one_after_the_other
  // CHECK: mem.arena "arena", 4096
  func.func @one_after_the_other(%x: memref<512xf32>, %y: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %d = memref.alloc() : memref<512xf32>
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%a : memref<512xf32>, %b : memref<512xf32>)
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%b : memref<512xf32>, %c : memref<512xf32>)
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%c : memref<512xf32>, %d : memref<512xf32>)
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%d : memref<512xf32>, %y : memref<512xf32>)
    return
  }

  // CHECK-LABEL: func.func @on_one_stream
  // CHECK: mem.arena "arena", 4096
  func.func @on_one_stream(%x: memref<512xf32>, %y: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %d = memref.alloc() : memref<512xf32>
    %0 = gpu.wait async
    %1 = gpu.launch_func async [%0] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%a : memref<512xf32>, %b : memref<512xf32>)
    %3 = gpu.launch_func async [%2] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%b : memref<512xf32>, %c : memref<512xf32>)
    %4 = gpu.launch_func async [%3] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%c : memref<512xf32>, %d : memref<512xf32>)
    %5 = gpu.launch_func async [%4] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%d : memref<512xf32>, %y : memref<512xf32>)
    gpu.wait [%5]
    return
  }

  // The copy to %z may run while any of the first three kernels does, so that their buffers are apart:
  // +8192 (4 * 2048).
  // CHECK-LABEL: func.func @beside_the_host
  // CHECK: mem.arena "arena", 8192
  func.func @beside_the_host(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %d = memref.alloc() : memref<512xf32>
    linalg.copy ins(%x : memref<512xf32>) outs(%d : memref<512xf32>)
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%a : memref<512xf32>, %b : memref<512xf32>)
    %3 = gpu.launch_func async [%2] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%b : memref<512xf32>, %c : memref<512xf32>)
    linalg.exp ins(%d : memref<512xf32>) outs(%z : memref<512xf32>)
    %4 = gpu.launch_func async [%3] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%c : memref<512xf32>, %y : memref<512xf32>)
    gpu.wait [%4]
    return
  }

  // Two streams, which are not ordered with each other: +8192 (4 * 2048).
  // CHECK-LABEL: func.func @on_two_streams
  // CHECK: mem.arena "arena", 8192
  func.func @on_two_streams(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %d = memref.alloc() : memref<512xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%a : memref<512xf32>, %b : memref<512xf32>)
    %3 = gpu.launch_func async [%2] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%b : memref<512xf32>, %y : memref<512xf32>)
    %4 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %c : memref<512xf32>)
    %5 = gpu.launch_func async [%4] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%c : memref<512xf32>, %d : memref<512xf32>)
    %6 = gpu.launch_func async [%5] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%d : memref<512xf32>, %z : memref<512xf32>)
    gpu.wait [%3, %6]
    return
  }

  // A wait in between: two buffers at a time before it, and three after it, +6144 (3 * 2048).
  // CHECK-LABEL: func.func @waits_in_between
  // CHECK: mem.arena "arena", 6144
  func.func @waits_in_between(%x: memref<512xf32>, %y: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %d = memref.alloc() : memref<512xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%a : memref<512xf32>, %b : memref<512xf32>)
    gpu.wait [%2]
    %3 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%b : memref<512xf32>, %c : memref<512xf32>)
    %4 = gpu.launch_func async [%3] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%c : memref<512xf32>, %d : memref<512xf32>)
    gpu.launch_func [%4] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%d : memref<512xf32>, %y : memref<512xf32>)
    gpu.wait [%4]
    return
  }

  // The first launch is waited for by itself, so that %c takes the bytes of %a while the second one runs: +4096
  // (2 * 2048).
  // CHECK-LABEL: func.func @waits_for_the_first_before
  // CHECK: mem.arena "arena", 4096
  func.func @waits_for_the_first_before(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    gpu.wait [%1]
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %b : memref<512xf32>)
    linalg.exp ins(%a : memref<512xf32>) outs(%y : memref<512xf32>)
    linalg.exp ins(%x : memref<512xf32>) outs(%c : memref<512xf32>)
    linalg.log ins(%c : memref<512xf32>) outs(%c : memref<512xf32>)
    linalg.exp ins(%c : memref<512xf32>) outs(%z : memref<512xf32>)
    gpu.wait [%2]
    return
  }

  // CHECK-LABEL: func.func @waits_for_the_first_after
  // CHECK: mem.arena "arena", 4096
  func.func @waits_for_the_first_after(%x: memref<512xf32>, %y: memref<512xf32>, %z: memref<512xf32>) {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %a = memref.alloc() : memref<512xf32>
    %b = memref.alloc() : memref<512xf32>
    %c = memref.alloc() : memref<512xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %a : memref<512xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c512, %c1, %c1) args(%x : memref<512xf32>, %b : memref<512xf32>)
    gpu.wait [%1]
    linalg.exp ins(%a : memref<512xf32>) outs(%y : memref<512xf32>)
    linalg.exp ins(%x : memref<512xf32>) outs(%c : memref<512xf32>)
    linalg.log ins(%c : memref<512xf32>) outs(%c : memref<512xf32>)
    linalg.exp ins(%c : memref<512xf32>) outs(%z : memref<512xf32>)
    gpu.wait [%2]
    return
  }
}
