// mem-plan diff compares plans as passes write them: of one level, of several, and of two versions of a
// program. A peak that grows by more than the limit is exit status 1, and the limit itself is none.
//
// UNSUPPORTED: via-plugin
//
// RUN: mem-opt %s -o %t.mlir --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan{format=json output=%t.a.json})'
// RUN: sed 's/512xf32/768xf32/g' %s > %t.larger.mlir
// RUN: mem-opt %t.larger.mlir -o %t.mlir --pass-pipeline='builtin.module(mem-default-pipeline,mem-print-plan{format=json output=%t.b.json})'
//
// RUN: mem-plan diff %t.a.json %t.b.json | FileCheck %s --check-prefix=GREW
// GREW: peak   before  after  change
// GREW: arena    4096   6144  +2048 (+50.00 %)
// GREW: 4 grew, 1 moved
// GREW: 'buf0': 2048 -> 3072 bytes
//
// RUN: mem-plan diff %t.a.json %t.b.json --fail-if-peak-grows 50%% -o %t.txt
// RUN: mem-plan diff %t.a.json %t.b.json --fail-if-peak-grows 2KiB -o %t.txt
// RUN: mem-plan diff %t.b.json %t.a.json --fail-if-peak-grows 0%% | FileCheck %s --check-prefix=SHRANK
// SHRANK: -2048 (-33.33 %)
// RUN: not mem-plan diff %t.a.json %t.b.json --fail-if-peak-grows 49%% 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: error: the peak in 'arena' grew by 2048 bytes, from 4096 to 6144; the limit is 49 %
//
// Plans over several levels, as reports have them.
// RUN: mem-opt %s -o %t.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu report=%t.npu.json})'
// RUN: mem-opt %s -o %t.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu capacity=4096 report=%t.slow.json})'
// RUN: mem-plan diff %t.npu.json %t.slow.json | FileCheck %s --check-prefix=LEVELS
// LEVELS: sram
// LEVELS: dram
// LEVELS: makespan of @f
// LEVELS: moved

func.func @f(%in: memref<512xf32>, %out: memref<512xf32>) {
  %a = memref.alloc() : memref<512xf32>
  %b = memref.alloc() : memref<512xf32>
  linalg.exp ins(%in : memref<512xf32>) outs(%a : memref<512xf32>)
  linalg.negf ins(%in : memref<512xf32>) outs(%b : memref<512xf32>)
  linalg.add ins(%a, %b : memref<512xf32>, memref<512xf32>) outs(%out : memref<512xf32>)
  return
}
