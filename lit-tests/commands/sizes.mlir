// Every option that is a size takes a number of bytes, or a number with a unit. A size that is none is an
// error that names the option.
//
// UNSUPPORTED: via-plugin
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=1KiB})' 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: 4096 bytes are needed at step 1 {{.*}}, 3072 more than the capacity of 1024
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=4KiB alignment=1KiB})' | FileCheck %s --check-prefix=ALIGNED
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=0.004096MB alignment=1024})' | FileCheck %s --check-prefix=ALIGNED
// ALIGNED: mem.arena "arena", 4096 {alignment = 1024 : i64
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan{capacity=4KiB dump=%t.mem})' | FileCheck %s --check-prefix=PLAN
// PLAN: mem.arena "arena", 4096
//
// Limits are rounded down to whole bytes: 4.1KiB is 4198.4 bytes.
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan{capacity=4.1KiB dump=%t.mem})' | FileCheck %s --check-prefix=PLAN
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{capacity=1M})' 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: error: mem-default-pipeline: invalid value for option 'capacity': unknown unit 'M' in '1M': did you mean 'MiB' or 'MB'?
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload{hierarchy=gpu budget=8EiB})' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: mem-offload: invalid value for option 'budget': '8EiB' is too large: sizes are below 8EiB
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{alignment=0.5})' 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: mem-default-pipeline: invalid value for option 'alignment': '0.5' is not a whole number of bytes
//
// The other commands.
// RUN: mem-plan %t.mem --capacity 4KiB | FileCheck %s --check-prefix=FITS
// FITS: peak 4096 {{.*}}, capacity 4096
// RUN: not mem-plan %t.mem --capacity 4kB 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: @f: no placement exists within 4000 bytes
// RUN: not mem-plan %t.mem --capacity 3.9KiB 2>&1 | FileCheck %s --check-prefix=DOWN
// DOWN: error: @f: no placement exists within 3993 bytes
// RUN: not mem-plan %t.mem --capacity 4096.5 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: invalid value '4096.5' for '--capacity <SIZE>': '4096.5' is not a whole number of bytes
// RUN: not mem-plan %t.mem --capacity 4k 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: invalid value '4k' for '--capacity <SIZE>': unknown unit 'k' in '4k': did you mean 'KiB' or 'kB'?
// RUN: not mem-plan %t.mem --reserve 0:1x 2>&1 | FileCheck %s --check-prefix=RESERVE
// RESERVE: error: invalid value '0:1x' for '--reserve <LOW:HIGH>': unknown unit 'x' in '1x'
// RUN: not mem-run %s --hierarchy gpu --budget much 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: error: invalid value 'much' for '--budget <SIZE>': 'much' is not a size: expected bytes, as in 4096, 64KiB or 1.5MiB

func.func @f(%in: memref<512xf32>, %out: memref<512xf32>) {
  %a = memref.alloc() : memref<512xf32>
  %b = memref.alloc() : memref<512xf32>
  linalg.exp ins(%in : memref<512xf32>) outs(%a : memref<512xf32>)
  linalg.negf ins(%in : memref<512xf32>) outs(%b : memref<512xf32>)
  linalg.add ins(%a, %b : memref<512xf32>, memref<512xf32>) outs(%out : memref<512xf32>)
  return
}
