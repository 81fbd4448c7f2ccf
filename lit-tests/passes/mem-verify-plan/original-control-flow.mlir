// The planned program must equal the original in its blocks, successors and types, too.
//
// RUN: mem-opt --allow-unregistered-dialect %s --pass-pipeline='builtin.module(mem-plan)' -o %t.mlir
// RUN: mem-opt --allow-unregistered-dialect %t.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' -o /dev/null
//
// The branches are swapped.
// RUN: sed 's/cf.cond_br \(%[a-z0-9]*\), ^bb1, ^bb2/cf.cond_br \1, ^bb2, ^bb1/' %t.mlir > %t.swapped.mlir
// RUN: not mem-opt --allow-unregistered-dialect %t.swapped.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SWAPPED
// SWAPPED: error: the planned program has no counterpart of this 'cf.cond_br'
//
// An additional block.
// RUN: sed 's/^    return$/    return ^bb4: cf.br ^bb4/; s/return ^bb4/return\n  ^bb4/; s/^bb4: /^bb4:\n    /' %t.mlir > %t.more.mlir
// RUN: not mem-opt --allow-unregistered-dialect %t.more.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: error: its region has 5 blocks, and the original's has 4
//
// An operation that differs only in the type of its result. It is pure, so the error is reported at its user.
// RUN: sed 's/arith.extui \(%[a-z0-9]*\) : i8 to i16/arith.extui \1 : i8 to i32/; s/i16/i32/' %t.mlir > %t.type.mlir
// RUN: not mem-opt --allow-unregistered-dialect %t.type.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: this 'linalg.fill' is not what the original program has here
//
// An additional operation at the end of a block without a terminator.
// RUN: sed 's/"foo.last"() : () -> ()/"foo.last"() : () -> () "foo.more"() : () -> ()/' %t.mlir > %t.last.mlir
// RUN: not mem-opt --allow-unregistered-dialect %t.last.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%s})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: error: this 'foo.more' is not what the original program has here

func.func @main(%x: memref<16xf32>, %y: memref<16xf32>, %first: i1, %byte: i8) {
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %word = arith.extui %byte : i8 to i16
  %float = arith.uitofp %word : i16 to f32
  linalg.fill ins(%float : f32) outs(%va : memref<16xf32>)
  cf.cond_br %first, ^bb1, ^bb2
^bb1:
  linalg.exp ins(%va : memref<16xf32>) outs(%y : memref<16xf32>)
  cf.br ^bb3
^bb2:
  linalg.log ins(%va : memref<16xf32>) outs(%y : memref<16xf32>)
  cf.br ^bb3
^bb3:
  "foo.region"() ({
    "foo.last"() : () -> ()
  }) : () -> ()
  return
}
