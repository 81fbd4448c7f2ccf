// Dead bytes in arenas are filled with garbage, and the results are unchanged:
// control flow, rotation, training.
//
// RUN: mem-run %models/bufferized/lstm_train_scan_t32_h256_b16.mlir --compare --poison -O0 | FileCheck %s
// RUN: mem-run %models/small/unet_32px_b1.mlir --compare --poison -O0 | FileCheck %s
// RUN: mem-run %models/bufferized/gpt2_small_decode_c512_b1.mlir --compare --poison -O0 | FileCheck %s
// RUN: mem-run %s --compare --poison --pipeline-options=optimize=false | FileCheck %s
// CHECK-NOT: fault
// CHECK: equal: {{[0-9]+}} values

// RUN: not mem-run %s --poison 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --compare

func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.add ins(%a, %x : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.mul ins(%b, %x : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%c, %b : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
