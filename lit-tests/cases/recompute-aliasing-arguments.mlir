// A step must not be rematerialized if a write to another argument may have overwritten its operand.
//
// RUN: mem-run %s -O0 --compare --pipeline-options "hierarchy=gpu budget=16384" | FileCheck %s
// CHECK: equal: 2 values, 32768 bytes

module {
  func.func @f(%in: memref<64x64xf32>, %out: memref<64x64xf32>, %out2: memref<64x64xf32>) attributes {no_inline} {
    %a = memref.alloc() : memref<64x64xf32>
    %b = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%in : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    linalg.tanh ins(%a : memref<64x64xf32>) outs(%out : memref<64x64xf32>)
    linalg.tanh ins(%out : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    linalg.exp ins(%b : memref<64x64xf32>) outs(%out : memref<64x64xf32>)
    linalg.exp ins(%b : memref<64x64xf32>) outs(%out2 : memref<64x64xf32>)
    linalg.exp ins(%a : memref<64x64xf32>) outs(%out2 : memref<64x64xf32>)
    return
  }
  func.func @main(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
    call @f(%x, %x, %y) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
    return
  }
}
