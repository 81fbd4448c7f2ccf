// mem-reduce removes whatever a script does not find interesting: here, functions and operations that the peak above
// a bound, or the error in a plan, does not need.
//
// UNSUPPORTED: via-plugin
//
// RUN: split-file %s %t
// RUN: env PEAK=3KiB mem-reduce %t/large.mlir --reduction-tree='traversal-mode=0 test=%root/scripts/interesting/peak-above.sh' | FileCheck %s --check-prefix=LARGE
// LARGE-NOT: @small
// LARGE: func.func @large
// LARGE-COUNT-2: memref.alloc
// LARGE-NOT: @small
//
// RUN: mem-opt %t/large.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan,mem-break-plan{kind=onto-another})' -o %t/broken.mlir
// RUN: not mem-opt %t/broken.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null 2>%t/errors
// RUN: mem-reduce %t/broken.mlir --reduction-tree='traversal-mode=0 test=%root/scripts/interesting/verification-fails.sh' -o %t/reduced.mlir
// RUN: not mem-opt %t/reduced.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null 2>%t/errors
// RUN: FileCheck %s --check-prefix=BROKEN --input-file=%t/reduced.mlir
// BROKEN-NOT: @small
// BROKEN: mem.view

//--- large.mlir

func.func @small(%in: memref<16xf32>) {
  linalg.exp ins(%in : memref<16xf32>) outs(%in : memref<16xf32>)
  return
}
func.func @large(%in: memref<512xf32>, %out: memref<512xf32>) {
  %a = memref.alloc() : memref<512xf32>
  %b = memref.alloc() : memref<512xf32>
  linalg.exp ins(%in : memref<512xf32>) outs(%a : memref<512xf32>)
  linalg.negf ins(%in : memref<512xf32>) outs(%b : memref<512xf32>)
  linalg.add ins(%a, %b : memref<512xf32>, memref<512xf32>) outs(%out : memref<512xf32>)
  return
}
func.func @small_again(%in: memref<16xf32>) {
  linalg.exp ins(%in : memref<16xf32>) outs(%in : memref<16xf32>)
  return
}
