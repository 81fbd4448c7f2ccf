// The programs that ../launches.mlir and ../launches-different.mlir are compared with.
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
      %b = arith.addf %a, %a : f32
      memref.store %b, %y[%i] : memref<8xf32>
      gpu.return
    }
  }

  func.func @in_an_arena(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %c = memref.alloc() : memref<8xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %a : memref<8xf32>)
    %2 = gpu.launch_func async [%1] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<8xf32>)
    %3 = gpu.launch_func async [%2] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<8xf32>, %c : memref<8xf32>)
    gpu.wait [%3]
    linalg.exp ins(%c : memref<8xf32>) outs(%y : memref<8xf32>)
    return
  }

  func.func @at_once(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    gpu.launch blocks(%b0, %b1, %b2) in (%g0 = %c1, %g1 = %c1, %g2 = %c1) threads(%t0, %t1, %t2) in (%s0 = %c1, %s1 = %c1, %s2 = %c1) {
      %v = memref.load %x[%t0] : memref<8xf32>
      memref.store %v, %a[%t0] : memref<8xf32>
      gpu.terminator
    }
    gpu.launch_func @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %y : memref<8xf32>)
    return
  }

  func.func @code(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@changed blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
    return
  }

  func.func @waits_later(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %a : memref<8xf32>)
    gpu.wait [%1]
    linalg.exp ins(%a : memref<8xf32>) outs(%y : memref<8xf32>)
    return
  }

  func.func @on_two_streams(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %1 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %a : memref<8xf32>)
    %2 = gpu.launch_func async @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %b : memref<8xf32>)
    gpu.wait [%1, %2]
    linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
    return
  }
}
