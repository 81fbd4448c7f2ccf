// Launches of kernels: a kernel in the module tells what a launch does with its operands. If it does not, an
// allocation that is given to it stays as it is, and a remark says why.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' --split-input-file \
// RUN:   --verify-diagnostics --allow-unregistered-dialect | FileCheck %s

// Elements, views of elements, storage of a workgroup, and synchronization.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum(%x: memref<4x8xf32>, %y: memref<8xf32>, %unused: memref<8xf32>) workgroup(%shared: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %i = gpu.thread_id x
      %row = memref.subview %x[1, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: 8>>
      %a = memref.load %row[%i] : memref<8xf32, strided<[1], offset: 8>>
      memref.store %a, %shared[%i] : memref<8xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = memref.dim %x, %c0 : memref<4x8xf32>
      scf.for %k = %c0 to %n step %n {
        %b = memref.load %shared[%k] : memref<8xf32, #gpu.address_space<workgroup>>
        %all = gpu.all_reduce add %b {} : (f32) -> f32
        memref.store %all, %y[%i] : memref<8xf32>
      }
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @launch
  func.func @launch(%v: f32, %out: memref<8xf32>) {
    // CHECK-COUNT-3: mem.buffer
    // CHECK-NOT: memref.alloc
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4x8xf32>
    %y = memref.alloc() : memref<8xf32>
    %unused = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v : f32) outs(%x : memref<4x8xf32>)
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4x8xf32>, %y : memref<8xf32>, %unused : memref<8xf32>)
    memref.copy %y, %out : memref<8xf32> to memref<8xf32>
    return
  }

  // CHECK-LABEL: func.func @asynchronous
  func.func @asynchronous(%out: memref<8xf32>) {
    // CHECK-COUNT-2: mem.buffer
    // CHECK-NOT: memref.alloc
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4x8xf32>
    %y = memref.alloc() : memref<8xf32>
    %0 = gpu.wait async
    %1 = gpu.launch_func async [%0] @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4x8xf32>, %y : memref<8xf32>, %y : memref<8xf32>)
    gpu.wait [%1]
    memref.copy %y, %out : memref<8xf32> to memref<8xf32>
    return
  }

  // CHECK-LABEL: func.func @not_waited_for
  func.func @not_waited_for(%out: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{it is accessed by an operation that may still run when the next one starts}}
    %x = memref.alloc() : memref<4x8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    %1 = gpu.launch_func async @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4x8xf32>, %out : memref<8xf32>, %out : memref<8xf32>)
    return
  }
}

// -----

// A stream is an object of the run time's, and nothing waits for it.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @read(%x: memref<8xf32>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %x[%i] : memref<8xf32>
      gpu.return
    }
  }
  func.func @on_a_stream(%stream: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %x = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) : index args(%x : memref<8xf32>)
    return
  }
}

// -----

// Kernels that reach beyond the elements of their operands, pass them on, or keep them.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @beyond(%x: memref<8xf32>) kernel {
      %c9 = arith.constant 9 : index
      %all = memref.reinterpret_cast %x to offset: [0], sizes: [16], strides: [1] : memref<8xf32> to memref<16xf32>
      %a = memref.load %all[%c9] : memref<16xf32>
      gpu.return
    }
    gpu.func @address(%x: memref<8xf32>, %to: memref<1xindex>) kernel {
      %c0 = arith.constant 0 : index
      %a = memref.extract_aligned_pointer_as_index %x : memref<8xf32> -> index
      memref.store %a, %to[%c0] : memref<1xindex>
      gpu.return
    }
    gpu.func @carries(%x: memref<8xf32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %y = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> memref<8xf32> {
        scf.yield %z : memref<8xf32>
      }
      gpu.return
    }
    memref.global @state : memref<8xf32>
    gpu.func @global(%x: memref<8xf32>) kernel {
      %c0 = arith.constant 0 : index
      %g = memref.get_global @state : memref<8xf32>
      %a = memref.load %g[%c0] : memref<8xf32>
      memref.store %a, %x[%c0] : memref<8xf32>
      gpu.return
    }
    gpu.func @unknown(%x: memref<8xf32>) kernel {
      "test.anything"() : () -> ()
      gpu.return
    }
    gpu.func @asynchronous(%x: memref<8xf32>) workgroup(%shared: memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %t = nvgpu.device_async_copy %x[%i], %shared[%i], 1 : memref<8xf32> to memref<8xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
    gpu.func @transfer(%x: memref<8xf32>, %tag: memref<1xi32>) workgroup(%shared: memref<8xf32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      memref.dma_start %x[%c0], %shared[%c0], %c8, %tag[%c0] : memref<8xf32>, memref<8xf32, 3>, memref<1xi32>
      gpu.return
    }
    func.func @device(%x: memref<8xf32>) {
      return
    }
    gpu.func @calls(%x: memref<8xf32>) kernel {
      func.call @device(%x) : (memref<8xf32>) -> ()
      gpu.return
    }
  }

  // What a function of this name does here says nothing about the one beside the kernel.
  func.func @device(%x: memref<8xf32>) {
    return
  }

  // CHECK-LABEL: func.func @kernels_that_are_not_understood
  func.func @kernels_that_are_not_understood(%to: memref<1xindex>, %tag: memref<1xi32>) {
    // CHECK-COUNT-8: memref.alloc()
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %g = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@asynchronous blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%g : memref<8xf32>)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %h = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@transfer blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%h : memref<8xf32>, %tag : memref<1xi32>)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %a = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@beyond blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %b = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@address blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%b : memref<8xf32>, %to : memref<1xindex>)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %c = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@carries blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<8xf32>, %c1 : index)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %d = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@global blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%d : memref<8xf32>)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %e = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@unknown blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%e : memref<8xf32>)
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %f = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@calls blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%f : memref<8xf32>)
    return
  }
}

// -----

// The kernel of a compiled module is not known.
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target, "">]
  func.func @compiled() {
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{it is an operand of an operation with unknown effects}}
    %x = memref.alloc() : memref<8xf32>
    // expected-note @+1 {{by this 'gpu.launch_func'}}
    gpu.launch_func @kernels::@read blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    return
  }
}

// -----

// In unreachable code, launches may be after each other in a circle, which another one may lead to.
func.func @in_a_circle(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{it is used inside an operation that is not waited for on every path}}
  %a = memref.alloc() : memref<4xf32>
  return
^unreachable:
  %0 = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-note @+1 {{by this 'memref.load'}}
    %x = memref.load %a[%c0] : memref<4xf32>
    memref.store %x, %out[%c0] : memref<4xf32>
    gpu.terminator
  }
  %1 = gpu.launch async [%0, %2] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%c0] : memref<4xf32>
    memref.store %x, %out[%c0] : memref<4xf32>
    gpu.terminator
  }
  %2 = gpu.wait async [%1]
  cf.br ^unreachable
}
