// The planned program must equal the original except for addresses. Any other change is rejected,
// even though each of the changed programs reads only bytes that it has written.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' -o /dev/null
//
// RUN: sed 's/linalg.exp/linalg.log/' %t.mlir > %t.other.mlir
// RUN: not mem-opt %t.other.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: {{.*}}other.mlir:{{.*}}: error: this 'linalg.log' is not what the original program has here
// OTHER: original.mlir:[[#EXP:]]:{{.*}}: note: which is this 'linalg.exp'
//
// RUN: grep -v 'linalg.exp' %t.mlir > %t.missing.mlir
// RUN: not mem-opt %t.missing.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: this 'linalg.add' is not what the original program has here
// MISSING: note: which is this 'linalg.exp'
//
// Swapped operands; a different constant; a different offset.
// RUN: sed 's/ins(%\([a-z0-9_]*\), %\([a-z0-9_]*\) : memref<16xf32>, memref<16xf32>)/ins(%\2, %\1 : memref<16xf32>, memref<16xf32>)/' %t.mlir > %t.round.mlir
// RUN: not mem-opt %t.round.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: error: this 'linalg.add' is not what the original program has here
// RUN: sed 's/constant 3 : index/constant 5 : index/' %t.mlir > %t.rounds.mlir
// RUN: not mem-opt %t.rounds.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: error: this '{{.*}}' is not what the original program has here
// RUN: sed 's/subview %\([a-z0-9_]*\)\[4\]/subview %\1[5]/; s/offset: 4/offset: 5/g' %t.mlir > %t.place.mlir
// RUN: not mem-opt %t.place.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error: this 'mem.kernel' is not what the original program has here
// RUN: sed 's/mem.descriptor %b\[0, 32\]/mem.descriptor %b[32, 32]/' %t.mlir > %t.half.mlir
// RUN: not mem-opt %t.half.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=HALF_OF
// HALF_OF: error: this 'mem.kernel' is not what the original program has here
//
// A different buffer is read; one buffer takes the place of two.
// RUN: sed 's/memref.copy %1,/memref.copy %0,/' %t.mlir > %t.buffer.mlir
// RUN: not mem-opt %t.buffer.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=BUFFER
// BUFFER: error: this 'memref.copy' is not what the original program has here
// RUN: sed 's/outs(%1 /outs(%0 /; s/@callee(%1,/@callee(%0,/; s/memref.copy %1,/memref.copy %0,/' %t.mlir > %t.merged.mlir
// RUN: not mem-opt %t.merged.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' 2>&1 | FileCheck %s --check-prefix=MERGED
// MERGED: error: this 'linalg.add' is not what the original program has here
//
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.nothing})' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: mem-verify-plan: cannot read {{.*}}.nothing: No such file or directory
// RUN: echo 'module {' > %t.half
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.half})' 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: original.mlir.tmp.half:{{.*}}: error:
// HALF: error: mem-verify-plan: {{.*}}.half is not a module

func.func private @callee(%x: memref<16xf32>) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %0 = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  memref.copy %x, %0 : memref<16xf32> to memref<16xf32>
  memref.copy %0, %x : memref<16xf32> to memref<16xf32>
  return
}

func.func @f(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%va : memref<16xf32>)
  linalg.add ins(%va, %x : memref<16xf32>, memref<16xf32>) outs(%vb : memref<16xf32>)
  %half = mem.descriptor %b[0, 32] : !mem.buffer<64> -> memref<8xf32>
  mem.kernel "half" uses(%half : memref<8xf32>) may_defines(%y : memref<16xf32>)
  func.call @callee(%vb) : (memref<16xf32>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %c = mem.buffer {name = "c"} : !mem.buffer<64>
    %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
    memref.copy %vb, %vc : memref<16xf32> to memref<16xf32>
    %part = memref.subview %vc[4] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
    mem.kernel "part" uses(%part : memref<4xf32, strided<[1], offset: 4>>) may_defines(%y : memref<16xf32>)
  }
  return
}
