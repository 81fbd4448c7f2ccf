// Mistakes that a plan for launches could make: each function differs from its namesake in inputs/launches.mlir
// by one of them. None of them is found equal, and every race is an error. What a kernel writes may be some of the
// elements only, so that other contents are not known to be different.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/launches.mlir noalias-arguments=true})' -o %t 2>&1 | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double(%x: memref<8xf32>, %y: memref<8xf32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<8xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %y[%i] : memref<8xf32>
      gpu.return
    }
    gpu.func @changed(%x: memref<8xf32>, %y: memref<8xf32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<8xf32>
      %b = arith.mulf %a, %a : f32
      memref.store %b, %y[%i] : memref<8xf32>
      gpu.return
    }
  }

  // The second launch writes over what the third one reads.
  // CHECK: warning: mem-validate: @in_an_arena is not validated: what it is depends on which bytes are accessed at run time
  func.func @in_an_arena(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %arena = mem.arena "arena", 64 : !mem.arena
    %0 = mem.view %arena[0] : !mem.arena -> !mem.buffer<32>
    %32 = mem.view %arena[32] : !mem.arena -> !mem.buffer<32>
    %a = mem.descriptor %0[0, 32] : !mem.buffer<32> -> memref<8xf32>
    %b = mem.descriptor %32[0, 32] : !mem.buffer<32> -> memref<8xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %a : memref<8xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<8xf32>)
    %3 = gpu.launch_func async [%2] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<8xf32>)
    gpu.wait [%3]
    linalg.exp ins(%b : memref<8xf32>) outs(%y : memref<8xf32>)
    return
  }

  // A launch inside is given other elements.
  // CHECK: warning: mem-validate: @at_once is not validated: what it is depends on which bytes are accessed at run time
  func.func @at_once(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    gpu.launch blocks(%b0, %b1, %b2) in (%g0 = %c1, %g1 = %c1, %g2 = %c1) threads(%t0, %t1, %t2) in (%s0 = %c1, %s1 = %c1, %s2 = %c1) {
      %v = memref.load %x[%t0] : memref<8xf32>
      memref.store %v, %a[%t0] : memref<8xf32>
      gpu.terminator
    }
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
    return
  }

  // The kernel computes something else.
  // CHECK: warning: mem-validate: @code is not validated: what it is depends on which bytes are accessed at run time
  func.func @code(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@changed blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
    return
  }

  // The host reads before it has waited.
  // CHECK: :[[@LINE+6]]:{{[0-9]+}}: error: mem-validate: in @waits_later, bytes are read while a transfer writes them
  // CHECK: :[[@LINE+4]]:{{[0-9]+}}: note: the transfer starts here
  func.func @waits_later(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %a : memref<8xf32>)
    linalg.exp ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
    gpu.wait [%1]
    return
  }

  // Launches that are not ordered write the same bytes.
  // CHECK: :[[@LINE+10]]:{{[0-9]+}}: error: mem-validate: in @on_two_streams, bytes are written while a transfer writes them
  // CHECK: :[[@LINE+8]]:{{[0-9]+}}: note: the transfer starts here
  func.func @on_two_streams(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %arena = mem.arena "arena", 48 : !mem.arena
    %0 = mem.view %arena[0] : !mem.arena -> !mem.buffer<32>
    %16 = mem.view %arena[16] : !mem.arena -> !mem.buffer<32>
    %a = mem.descriptor %0[0, 32] : !mem.buffer<32> -> memref<8xf32>
    %b = mem.descriptor %16[0, 32] : !mem.buffer<32> -> memref<8xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %a : memref<8xf32>)
    %2 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %b : memref<8xf32>)
    gpu.wait [%1, %2]
    linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
    return
  }
}
