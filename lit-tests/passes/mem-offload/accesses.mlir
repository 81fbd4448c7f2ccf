// Times come from the access table. If steps take long enough, copies are hidden and start no earlier than necessary;
// feedback makes them start earlier. A table that does not match the program is rejected, and no output is written.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-record-accesses{output=%t.json})' -o /dev/null
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 explain=1},mem-verify-plan{original=%t.mlir})' 2>&1 -o %t.model | FileCheck %s --check-prefix=MODEL
//
// A table recorded from the cost model changes nothing.
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 accesses=%t.json},mem-verify-plan{original=%t.mlir})' -o %t.table
// RUN: diff %t.table %t.model
//
// If steps take a hundred times as long, copies are hidden.
// RUN: sed -e 's/"time":\([1-9][0-9]*\)/"time":\100/' -e 's/"end": \([0-9]*\)/"end": \100/' %t.json > %t.slow.json
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 explain=1 accesses=%t.slow.json},mem-verify-plan{original=%t.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: sed 's/"leads": ../"leads": [{"tensor": "buf0", "step": 7, "cycles": 2000}]/' %t.slow.json > %t.early.json
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 explain=1 accesses=%t.early.json},mem-verify-plan{original=%t.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
//
// RUN: sed 's/"bytes":1024/"bytes":1023/' %t.json > %t.size.json
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 accesses=%t.size.json})' -o %t.out 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sed 's/"main"/"other"/' %t.json > %t.name.json
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 accesses=%t.name.json})' -o %t.out 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 accesses=%s})' -o %t.out 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{budget=2048 accesses=%t.none.json})' -o %t.out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t.out
//
// MODEL: remark: 'buf0' (1.0 KiB) is on the host from step 1 to step 7, requested before step 3: copying it out takes 1024 cycles and back 1024, 1998 more than the computation in between; the program waits 984 cycles; it cannot be recomputed
// SLOW: remark: 'buf0' (1.0 KiB) is on the host from step 1 to step 7, requested before step 5: copying it out takes 1024 cycles and back 1024, with 2952 to spare; the program waits 0 cycles; it cannot be recomputed
// EARLY: remark: 'buf0' {{.*}} requested before step 3: {{.*}}; the program waits 0 cycles
// SIZE: error: mem-offload: {{.*}}size.json: the table does not match @main: 'buf0' has 1023 bytes in row 1, and 1024 in the program
// NAME: error: mem-offload: {{.*}}name.json: there is no function @other
// SYNTAX: error: mem-offload: {{.*}}accesses.mlir: not an access table
// NONE: error: mem-offload: {{.*}}none.json: No such file

module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device", capacity = 100000>,
  #mem.level<"host", read = (latency = 0, bandwidth = 1.0), write = (latency = 0, bandwidth = 1.0)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">]>} {
func.func @main() {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %c = memref.alloc() : memref<128xf32>
  %d = memref.alloc() : memref<128xf32>
  %e = memref.alloc() : memref<128xf32>
  %f = memref.alloc() : memref<128xf32>
  mem.kernel "0" defines(%a : memref<256xf32>) {cycles = 10 : i64}
  mem.kernel "1" uses(%a : memref<256xf32>) defines(%b : memref<256xf32>) {cycles = 10 : i64}
  mem.kernel "2" uses(%b : memref<256xf32>) defines(%c : memref<128xf32>) {cycles = 10 : i64}
  mem.kernel "3" uses(%c : memref<128xf32>) defines(%d : memref<128xf32>) {cycles = 10 : i64}
  mem.kernel "4" uses(%d : memref<128xf32>) defines(%e : memref<128xf32>) {cycles = 10 : i64}
  mem.kernel "5" uses(%e : memref<128xf32>) defines(%c : memref<128xf32>) {cycles = 10 : i64}
  mem.kernel "6" uses(%c : memref<128xf32>) defines(%f : memref<128xf32>) {cycles = 10 : i64}
  mem.kernel "7" uses(%a, %f : memref<256xf32>, memref<128xf32>) {cycles = 10 : i64}
  return
}
}
