func.func @f(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    %h = memref.alloc() : memref<32x48xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %h[%i, %j] : memref<32x48xf32>
      }
    }
    %s = memref.subview %out[%t, 0, 0] [1, 32, 48] [1, 1, 1] : memref<64x32x48xf32> to memref<32x48xf32, strided<[48, 1], offset: ?>>
    memref.copy %h, %s : memref<32x48xf32> to memref<32x48xf32, strided<[48, 1], offset: ?>>
  }
  return
}

// What the loops leave alone is zero.
func.func @some(%x: memref<32x48xf32>, %out: memref<64x32x48xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    %h = memref.alloc() : memref<32x48xf32>
    linalg.fill ins(%zero : f32) outs(%h : memref<32x48xf32>)
    scf.for %i = %c0 to %c31 step %c1 {
      scf.for %j = %c0 to %c48 step %c1 {
        %v = memref.load %x[%i, %j] : memref<32x48xf32>
        memref.store %v, %h[%i, %j] : memref<32x48xf32>
      }
    }
    %s = memref.subview %out[%t, 0, 0] [1, 32, 48] [1, 1, 1] : memref<64x32x48xf32> to memref<32x48xf32, strided<[48, 1], offset: ?>>
    memref.copy %h, %s : memref<32x48xf32> to memref<32x48xf32, strided<[48, 1], offset: ?>>
  }
  return
}

// The slice is the one that the loops have counted.
func.func @counted(%x: memref<32xf32>, %out: memref<64x32xf32>, %l: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %t = %c0 to %c64 step %c1 {
    %h = memref.alloc() : memref<32xf32>
    %n = scf.execute_region -> index {
      cf.br ^head(%l, %l : index, index)
    ^head(%i: index, %k: index):
      %goes_on = arith.cmpi slt, %i, %m : index
      cf.cond_br %goes_on, ^body, ^end
    ^body:
      %v = memref.load %x[%i] : memref<32xf32>
      memref.store %v, %h[%i] : memref<32xf32>
      %i1 = arith.addi %i, %c1 : index
      %k1 = arith.addi %k, %c1 : index
      cf.br ^head(%i1, %k1 : index, index)
    ^end:
      scf.yield %k : index
    }
    %s = memref.subview %out[%n, 0] [1, 32] [1, 1] : memref<64x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %h, %s : memref<32xf32> to memref<32xf32, strided<[1], offset: ?>>
  }
  return
}
