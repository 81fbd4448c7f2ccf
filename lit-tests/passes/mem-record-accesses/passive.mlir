// Three tensors of 40 bytes, room for two, and a link that moves one byte per two cycles per port: six steps of five
// cycles. The third tensor evicts the first; when the first is fetched again, the second is evicted; when the second
// is fetched again, the first is dropped without a copy, because the host still has it. Times exclude the copies.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-record-accesses{budget=80 output=%t.json})' -o /dev/null
// RUN: FileCheck %s < %t.json
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-record-accesses)' -o /dev/null | FileCheck %s --check-prefix=MODEL
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-record-accesses{budget=79})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-record-accesses{function=other})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-record-accesses{budget=0})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO
//
// CHECK: "version": 1, "function": "main", "clock": 1000000000.0, "budget": 80, "end": 30,
// CHECK-NEXT: "accesses": [
// CHECK-NEXT: {"tensor":"buf0","step":0,"bytes":40,"access":"write","time":0},
// CHECK-NEXT: {"tensor":"buf0","step":1,"bytes":40,"access":"read","time":5},
// CHECK-NEXT: {"tensor":"buf1","step":1,"bytes":40,"access":"write","time":5},
// CHECK-NEXT: {"tensor":"buf1","step":2,"bytes":40,"access":"read","time":10},
// CHECK-NEXT: {"tensor":"buf2","step":2,"bytes":40,"access":"write","time":10},
// CHECK-NEXT: {"tensor":"buf2","step":3,"bytes":40,"access":"read","time":15},
// CHECK-NEXT: {"tensor":"buf0","step":4,"bytes":40,"access":"read","time":20},
// CHECK-NEXT: {"tensor":"buf2","step":4,"bytes":40,"access":"read","time":20},
// CHECK-NEXT: {"tensor":"buf1","step":5,"bytes":40,"access":"read","time":25},
// CHECK-NEXT: {"tensor":"buf2","step":5,"bytes":40,"access":"write","time":25}
// CHECK-NEXT: ],
// CHECK-NEXT: "copies": [
// CHECK-NEXT: {"tensor":"buf0","step":2,"direction":"out","time":10,"cycles":80},
// CHECK-NEXT: {"tensor":"buf1","step":4,"direction":"out","time":20,"cycles":80},
// CHECK-NEXT: {"tensor":"buf0","step":4,"direction":"in","time":20,"cycles":80},
// CHECK-NEXT: {"tensor":"buf1","step":5,"direction":"in","time":25,"cycles":80}
// CHECK-NEXT: ],
// CHECK-NEXT: "leads": []
//
// MODEL: "budget": null, "end": 30,
// MODEL: "copies": [],
// SMALL: error: mem-record-accesses: the tensors of one step take 80, and the device has 79
// OTHER: error: mem-record-accesses: there is no function @other
// ZERO: error: mem-record-accesses: a budget of 0 bytes is not positive

module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device", capacity = 1000>,
  #mem.level<"host", read = (latency = 0, bandwidth = 0.5), write = (latency = 0, bandwidth = 0.5)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">]>} {
func.func @main() {
  %a = memref.alloc() : memref<10xf32>
  %b = memref.alloc() : memref<10xf32>
  %c = memref.alloc() : memref<10xf32>
  mem.kernel "0" defines(%a : memref<10xf32>) {cycles = 5 : i64}
  mem.kernel "1" uses(%a : memref<10xf32>) defines(%b : memref<10xf32>) {cycles = 5 : i64}
  mem.kernel "2" uses(%b : memref<10xf32>) defines(%c : memref<10xf32>) {cycles = 5 : i64}
  mem.kernel "3" uses(%c : memref<10xf32>) {cycles = 5 : i64}
  mem.kernel "4" uses(%a, %c : memref<10xf32>, memref<10xf32>) {cycles = 5 : i64}
  mem.kernel "5" uses(%b : memref<10xf32>) defines(%c : memref<10xf32>) {cycles = 5 : i64}
  return
}
}
