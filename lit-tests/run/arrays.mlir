// Files that do not fit the function are refused, before anything runs. A dimension that is known
// only at run time has the size that it has in the file.

// RUN: mem-run %s --function numbers --output 0=%t.f32.npy --output 1=%t.i8.npy -O0 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: argument 1     memref<4xi8> {{ *}}4  changed

// RUN: not mem-run %s --input 0=%t.f32.npy --input 0=%t.f32.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: {{.*}}.f32.npy: argument 0 has a value from another file already
// RUN: not mem-run %s --input 7=%t.f32.npy 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}.f32.npy: there is no argument 7: the function has 4
// RUN: not mem-run %s --input %t.i8.npy 2>&1 | FileCheck %s --check-prefix=ELEMENT
// ELEMENT: error: {{.*}}.i8.npy: its elements are |i1, but argument 0 is memref<?xf32>: expected <f4
// RUN: not mem-run %s --function small --input %t.f32.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: {{.*}}.f32.npy: its shape is (5,), but argument 0 is memref<4xf32>
// RUN: not mem-run %s --input %t.f32.npy --input %t.f32.npy --input 2=%t.f32.npy --input %t.f32.npy 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: {{.*}}.f32.npy: there are only 2 inputs: the other arguments are results
// RUN: not mem-run %s --input %t.missing.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}.missing.npy: No such file or directory
// RUN: not mem-run %s --input %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: {{.*}}arrays.mlir: {{.+}}
// RUN: not mem-run %s --output %t.a --output %t.b --output %t.c 2>&1 | FileCheck %s --check-prefix=OUTPUTS
// OUTPUTS: error: {{.*}}.c: there are only 2 results: returned numbers and arguments marked bufferize.result; N=FILE writes argument N
// RUN: not mem-run %s --output 9=%t.a 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// NO-OUTPUT: error: {{.*}}.a: there is no argument 9: the function has 4
// RUN: not mem-run %s --function number --output 0=%t.a 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: {{.*}}.a: argument 0 is a number, which the function cannot change
// RUN: not mem-run %s --output %t.missing/a.npy 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: {{.*}}a.npy: No such file or directory
// RUN: not mem-run %s --input 3= 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: error: invalid value '3=' for '--input <[N=]FILE>': expected FILE, or N=FILE for argument N

// The other arguments have the size of the file. --dim overrides that.
// RUN: mem-run %s --input %t.f32.npy --all | FileCheck %s --check-prefix=FIVE
// FIVE: argument 0     memref<?xf32> {{ *}}20
// FIVE: argument 1     memref<?xf32> {{ *}}20
// FIVE: argument 2     memref<?xf32> {{ *}}20
// RUN: mem-run %s --input %t.f32.npy --all --dim 6 | FileCheck %s --check-prefix=SIX
// SIX: argument 0     memref<?xf32> {{ *}}20
// SIX: argument 1     memref<?xf32> {{ *}}24

func.func @main(%a: memref<?xf32>, %b: memref<?xf32>, %out: memref<?xf32> {bufferize.result},
                %other: memref<4xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<?xf32>)
  return
}

func.func @numbers(%a: memref<5xf32>, %b: memref<4xi8>) {
  %seven = arith.constant 7 : i8
  linalg.fill ins(%seven : i8) outs(%b : memref<4xi8>)
  return
}

func.func @small(%a: memref<4xf32>) {
  return
}

func.func @number(%a: f32) {
  return
}
