// Large inputs of every kind and unwritable outputs: the result is correct or a clear error, and never a
// partial file. (mem-opt allocates a stack that is large enough for MLIR's parser; mlir-opt does not.)
//
// UNSUPPORTED: via-plugin
//
// Ten thousand nested regions.
// RUN: python3 %S/Inputs/generate.py nest 10000 > %t.nest.mlir
// RUN: mem-opt %t.nest.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false},mem-print-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEST
// NEST: peak 16
//
// Ten thousand functions, with and without threads, and a model.
// RUN: python3 %S/Inputs/generate.py functions 10000 > %t.functions.mlir
// RUN: mem-opt %t.functions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' -o %t.threads.mlir
// RUN: mem-opt %t.functions.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' --mlir-disable-threading -o %t.alone.mlir
// RUN: cmp %t.threads.mlir %t.alone.mlir
// RUN: grep -c "= mem.arena" %t.alone.mlir | grep -x 10000
// RUN: mem-opt %models/bufferized/gpt2_small_calls_s256_b1.mlir --pass-pipeline='builtin.module(mem-default-pipeline)' -o %t.threads.mlir
// RUN: mem-opt %models/bufferized/gpt2_small_calls_s256_b1.mlir --pass-pipeline='builtin.module(mem-default-pipeline)' --mlir-disable-threading -o %t.alone.mlir
// RUN: cmp %t.threads.mlir %t.alone.mlir
//
// A hundred thousand operations.
// RUN: python3 %S/Inputs/generate.py many 33000 > %t.many.mlir
// RUN: mem-opt %t.many.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' -o %t.out.mlir
// RUN: grep -c "= mem.view" %t.out.mlir | grep -x 33000
//
// A full disk, and a closed pipe, which ends the program without a word.
// RUN: not mem-opt %models/bufferized/mobilenet_v1_b1.mlir --pass-pipeline='builtin.module(mem-default-pipeline)' -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL --implicit-check-not='Stack dump'
// FULL: No space left on device
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan{output=/dev/full})' 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: error: mem-print-plan: cannot write '/dev/full': No space left on device
// RUN: not mem-plan %models/../instances/nets/xla_bert_b8_train.csv -o /dev/full 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: /dev/full: error: No space left on device
// RUN: bash -c 'set -o pipefail; mem-opt %models/bufferized/resnet50_b1.mlir --pass-pipeline="builtin.module(mem-default-pipeline)" | head -n 1 > /dev/null' 2>&1 | count 0
// RUN: mem-plan --generate 5000 -o %t.table.csv
// RUN: bash -c 'mem-plan %t.table.csv | head -n 1 > /dev/null' 2>&1 | FileCheck %s --allow-empty --implicit-check-not=panicked
//
// Interrupted: the output file is complete, with a plan that is verified, or absent.
// RUN: rm -f %t.out.mlir %t.out.csv
// RUN: not timeout -s INT 0.4 mem-opt %t.many.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false strategy=exact})' -o %t.out.mlir
// RUN: test ! -e %t.out.mlir || mem-opt %t.out.mlir --pass-pipeline='builtin.module(mem-verify-plan)' -o /dev/null
// RUN: not timeout -s INT 2 mem-plan %models/../instances/cut/150.csv --strategy genetic --time-limit 60 -o %t.out.csv 2>&1 | FileCheck %s --check-prefix=STOP --implicit-check-not=panicked
// STOP: interrupted
// RUN: mem-plan %t.out.csv
//
// One interrupt that arrives twice, at the process and at its group, is one.
// RUN: bash -c 'mem-plan %models/../instances/cut/150.csv --strategy genetic --time-limit 60 -o %t.twice.csv & sleep 1; kill -INT $!; sleep 0.05; kill -INT $!; wait $!' 2>&1 | FileCheck %s --check-prefix=STOP
// RUN: mem-plan %t.twice.csv

func.func @f(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  mem.kernel "a" defines(%a : memref<16xf32>)
  mem.kernel "use" uses(%a : memref<16xf32>) defines(%x : memref<16xf32>)
  return
}
