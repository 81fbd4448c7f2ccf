// The planning problem can be written to a file. The stand-alone planner reads the file and finds the
// same addresses without MLIR. The file records source locations.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{dump=%t.mem})' | FileCheck %s
// RUN: FileCheck %s --check-prefix=DUMP --input-file=%t.mem
// RUN: mem-plan %t.mem | FileCheck %s --check-prefix=REPLAY
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{dump=%t.again})' -o /dev/null
// RUN: diff %t.mem %t.again

// DUMP: mem-program 1
// DUMP-NEXT: program "f"
// DUMP: buffer b{{[0-9]+}} "in" size 16 align 1 input external alias argument loc "in"
// DUMP: buffer b{{[0-9]+}} "a b" size 16 align 4 intermediate planned loc "{{.*}}dump.mlir:[[#@LINE+16]]:8"
// DUMP: buffer b{{[0-9]+}} "c" size 16 align 4 intermediate planned
// DUMP: step s0 "w"
// DUMP: use p{{[0-9]+}} may 0..16 must 0..16
// DUMP: define p{{[0-9]+}} may 0..16 must 0..16
// DUMP: end

// REPLAY: @f: 2 buffers
// REPLAY: peak 32, lower bound 32
// REPLAY: a b {{.*}} 16 {{ *}}0 {{.*}}
// REPLAY: c {{.*}} 16 {{ *}}16 {{.*}}

// CHECK-LABEL: func.func @f
func.func @f(%in: memref<4xf32> loc("in")) {
  // CHECK: mem.arena "arena", 32
  // CHECK: mem.view %arena[0] {{.*}}name = "a b"
  %a = mem.buffer {name = "a b"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  mem.kernel "w" uses(%in : memref<4xf32>) defines(%0 : memref<4xf32>)
  // CHECK: mem.view %arena[16] {{.*}}name = "c"
  %c = mem.buffer {name = "c"} : !mem.buffer<16>
  %1 = mem.descriptor %c[0, 16] : !mem.buffer<16> -> memref<4xf32>
  mem.kernel "w" uses(%0 : memref<4xf32>) defines(%1 : memref<4xf32>)
  mem.kernel "r" uses(%0, %1 : memref<4xf32>, memref<4xf32>) may_defines(%1 : memref<4xf32>)
  return
}
