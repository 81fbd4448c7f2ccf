// The originals of reads.mlir and reads-different.mlir.

// An argument may be the global.
memref.global "private" @g : memref<1xf32> = dense<1.0>

func.func @other_bytes(%y: memref<8xf32>, %w: memref<24xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %global = memref.get_global @g : memref<1xf32>
  memref.store %v, %w[%n] : memref<24xf32>
  %last = memref.subview %w[23] [1] [1] : memref<24xf32> to memref<1xf32, strided<[1], offset: 23>>
  %t = memref.alloc() : memref<1xf32>
  memref.copy %last, %t : memref<1xf32, strided<[1], offset: 23>> to memref<1xf32>
  scf.for %i = %0 to %n step %1 {
    %b = memref.subview %w[0] [3] [1] : memref<24xf32> to memref<3xf32, strided<[1], offset: 0>>
    linalg.fill ins(%v : f32) outs(%b : memref<3xf32, strided<[1], offset: 0>>)
  }
  %y1 = memref.subview %y[1] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %t, %y1 : memref<1xf32> to memref<1xf32, strided<[1], offset: 1>>
  linalg.exp ins(%global : memref<1xf32>) outs(%global : memref<1xf32>)
  return
}

func.func @in_nested_loops(%y: memref<8xf32>, %w: memref<24xf32>, %n: index, %v: f32, %p: i1) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %global = memref.get_global @g : memref<1xf32>
  memref.store %v, %w[%n] : memref<24xf32>
  %last = memref.subview %w[23] [1] [1] : memref<24xf32> to memref<1xf32, strided<[1], offset: 23>>
  %y1 = memref.subview %y[1] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %last, %y1 : memref<1xf32, strided<[1], offset: 23>> to memref<1xf32, strided<[1], offset: 1>>
  %t = memref.alloc() : memref<1xf32>
  memref.copy %last, %t : memref<1xf32, strided<[1], offset: 23>> to memref<1xf32>
  scf.for %i = %0 to %n step %1 {
    scf.for %j = %0 to %i step %1 {
      scf.if %p {
        memref.store %v, %w[%0] : memref<24xf32>
      }
    }
  }
  memref.copy %t, %y1 : memref<1xf32> to memref<1xf32, strided<[1], offset: 1>>
  %f = memref.load %y[%1] : memref<8xf32>
  %g = arith.addf %f, %f : f32
  memref.store %g, %w[%n] : memref<24xf32>
  linalg.exp ins(%global : memref<1xf32>) outs(%global : memref<1xf32>)
  return
}

func.func @one_element(%y: memref<1xf32>, %n: index, %v: f32) {
  %0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%n] : memref<1xf32>
  %f = memref.load %a[%0] : memref<1xf32>
  %g = memref.load %a[%n] : memref<1xf32>
  %s = arith.addf %f, %g : f32
  memref.store %s, %y[%0] : memref<1xf32>
  return
}
