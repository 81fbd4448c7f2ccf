// An argument may alias a global even if no two arguments alias: a step that reads the argument must
// not be rematerialized after a write to the global.
//
// RUN: mem-run %s -O0 --compare --pipeline-options "hierarchy=gpu budget=16384 noalias-arguments=true" | FileCheck %s
// CHECK: equal: 2 values, 32768 bytes

module {
  memref.global "private" @g : memref<64x64xf32> = uninitialized
  func.func @f(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) attributes {no_inline} {
    %g = memref.get_global @g : memref<64x64xf32>
    %a = memref.alloc() : memref<64x64xf32>
    %b = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    linalg.tanh ins(%a : memref<64x64xf32>) outs(%g : memref<64x64xf32>)
    linalg.tanh ins(%g : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    linalg.exp ins(%b : memref<64x64xf32>) outs(%g : memref<64x64xf32>)
    linalg.exp ins(%b : memref<64x64xf32>) outs(%out2 : memref<64x64xf32>)
    linalg.exp ins(%a : memref<64x64xf32>) outs(%out2 : memref<64x64xf32>)
    return
  }
  func.func @main(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
    %g = memref.get_global @g : memref<64x64xf32>
    memref.copy %x, %g : memref<64x64xf32> to memref<64x64xf32>
    call @f(%g, %x, %y) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    return
  }
}
