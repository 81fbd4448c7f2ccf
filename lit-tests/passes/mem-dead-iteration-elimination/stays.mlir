// Buffers keep all elements if others may read them, and operations keep their iterations if what they compute
// depends on the others, or if they would lose their name.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination)' -o /dev/null --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-dead-iteration-elimination{break=short-buffer})' 2>&1 | FileCheck %s --check-prefix=NOTHING
//
// COUNT-NOT: buffers
// NOTHING: remark: mem-dead-iteration-elimination: there is nothing to break: short-buffer

#other = affine_map<(d0) -> (d0 * 2)>
#id = affine_map<(d0) -> (d0)>

// A view of the buffer may be read anywhere.
// CHECK-LABEL: func.func @view
// CHECK: memref.alloc() : memref<16xf32>
func.func @view(%in: memref<16xf32>, %out: memref<8xf32>, %rest: memref<4xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.generic {indexing_maps = [#other, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  %v = memref.subview %a[0] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1]>>
  memref.copy %v, %rest : memref<4xf32, strided<[1]>> to memref<4xf32>
  return
}

// Both halves together are all elements.
// CHECK-LABEL: func.func @even_and_odd
// CHECK: memref.alloc() : memref<16xf32>
func.func @even_and_odd(%in: memref<16xf32>, %even: memref<8xf32>, %odd: memref<8xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.generic {indexing_maps = [#other, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%even : memref<8xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2 + 1)>, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%odd : memref<8xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  return
}

// A result that others see is written as a whole.
// CHECK-LABEL: func.func @two_results
// CHECK: memref.alloc() : memref<16xf32>
func.func @two_results(%in: memref<16xf32>, %whole: memref<16xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%in : memref<16xf32>) outs(%a, %whole : memref<16xf32>, memref<16xf32>) {
  ^bb0(%e: f32, %o: f32, %p: f32):
    linalg.yield %e, %e : f32, f32
  }
  linalg.generic {indexing_maps = [#other, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  return
}

// The body knows the number of its iteration.
// CHECK-LABEL: func.func @numbers
// CHECK: memref.alloc() : memref<16xindex>
func.func @numbers(%out: memref<8xindex>) {
  %a = memref.alloc() : memref<16xindex>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : memref<16xindex>) {
  ^bb0(%o: index):
    %n = linalg.index 0 : index
    linalg.yield %n : index
  }
  linalg.generic {indexing_maps = [#other, #id], iterator_types = ["parallel"]} ins(%a : memref<16xindex>) outs(%out : memref<8xindex>) {
  ^bb0(%e: index, %o: index):
    linalg.yield %e : index
  }
  return
}

// Each iteration stores to a buffer that others see, or does something that is not known.
// CHECK-LABEL: func.func @effects
// CHECK-COUNT-2: memref.alloc() : memref<16xf32>
func.func private @announce(f32)
func.func @effects(%in: memref<16xf32>, %seen: memref<1xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : memref<16xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%e: f32, %o: f32):
    memref.store %e, %seen[%c0] : memref<1xf32>
    linalg.yield %e : f32
  }
  %b = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%e: f32, %o: f32):
    func.call @announce(%e) : (f32) -> ()
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#other, #other, #id], iterator_types = ["parallel"]} ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %s = arith.addf %e, %f : f32
    linalg.yield %s : f32
  }
  return
}

// All elements of the sum are read, whatever is read of it.
// CHECK-LABEL: func.func @summed
// CHECK: memref.alloc() : memref<16xf32>
func.func @summed(%in: memref<16xf32>, %out: memref<f32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.generic {indexing_maps = [#id, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<16xf32>) outs(%out : memref<f32>) {
  ^bb0(%e: f32, %o: f32):
    %s = arith.addf %e, %o : f32
    linalg.yield %s : f32
  }
  return
}

// No product of matrices has every other row of an operand.
// CHECK-LABEL: func.func @named
// CHECK: memref.alloc() : memref<16x4xf32>
// CHECK: linalg.matmul
func.func @named(%x: memref<16x8xf32>, %y: memref<8x4xf32>, %out: memref<8x4xf32>) {
  %c = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<16x4xf32>)
  linalg.matmul ins(%x, %y : memref<16x8xf32>, memref<8x4xf32>) outs(%a : memref<16x4xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16x4xf32>) outs(%out : memref<8x4xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  return
}

// A call may read anything, and nothing reads the other one at all.
func.func private @other(memref<16xf32>)
// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: memref.alloc() : memref<16xf32>
func.func @unknown(%in: memref<16xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.generic {indexing_maps = [#other, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  call @other(%a) : (memref<16xf32>) -> ()
  %unread = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%unread : memref<16xf32>)
  return
}
