// Six operations whose inputs are {} {0} {0} {2} {1,3} {4}, each of which makes one buffer that lives
// until its last consumer: the lifetimes are (0,2) (1,4) (2,3) (3,4) (4,5) (5,5).
//
//   step           0         1         2         3         4         5
//   0, 2048 bytes  [0,2048)  [0,2048)  [0,2048)
//   1, 2048 bytes            [2048,4096) ... until 4
//   2, 1024 bytes                      [4096,5120) ... until 3
//   3, 2048 bytes                                [0,2048)  [0,2048)
//   4, 1024 bytes                                          [4096,5120) ... until 5
//   5, 4096 bytes                                                    [0,4096)
//
// At steps 2 and 3, and at 4 and 5 as well, 5120 bytes are live at once: the bound is met.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{strategy=lifetime-queue})' | FileCheck %s
// A capacity equal to the peak is enough, and the second run has nothing left to plan.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan{capacity=5120},mem-plan)' | FileCheck %s

// CHECK-LABEL: func.func @six
func.func @six() {
  // CHECK-NEXT: %[[ARENA:.*]] = mem.arena "arena", 5120
  // CHECK-NEXT: mem.view %[[ARENA]][0] {{.*}}name = "0"{{.*}} -> !mem.buffer<2048>
  %b0 = mem.buffer {name = "0"} : !mem.buffer<2048>
  %v0 = mem.descriptor %b0[0, 2048] : !mem.buffer<2048> -> memref<2048xi8>
  mem.kernel "op0" defines(%v0 : memref<2048xi8>)
  // CHECK: mem.view %[[ARENA]][2048] {{.*}}name = "1"
  %b1 = mem.buffer {name = "1"} : !mem.buffer<2048>
  %v1 = mem.descriptor %b1[0, 2048] : !mem.buffer<2048> -> memref<2048xi8>
  mem.kernel "op1" uses(%v0 : memref<2048xi8>) defines(%v1 : memref<2048xi8>)
  // CHECK: mem.view %[[ARENA]][4096] {{.*}}name = "2"
  %b2 = mem.buffer {name = "2"} : !mem.buffer<1024>
  %v2 = mem.descriptor %b2[0, 1024] : !mem.buffer<1024> -> memref<1024xi8>
  mem.kernel "op2" uses(%v0 : memref<2048xi8>) defines(%v2 : memref<1024xi8>)
  // CHECK: mem.view %[[ARENA]][0] {{.*}}name = "3"
  %b3 = mem.buffer {name = "3"} : !mem.buffer<2048>
  %v3 = mem.descriptor %b3[0, 2048] : !mem.buffer<2048> -> memref<2048xi8>
  mem.kernel "op3" uses(%v2 : memref<1024xi8>) defines(%v3 : memref<2048xi8>)
  // CHECK: mem.view %[[ARENA]][4096] {{.*}}name = "4"
  %b4 = mem.buffer {name = "4"} : !mem.buffer<1024>
  %v4 = mem.descriptor %b4[0, 1024] : !mem.buffer<1024> -> memref<1024xi8>
  mem.kernel "op4" uses(%v1, %v3 : memref<2048xi8>, memref<2048xi8>) defines(%v4 : memref<1024xi8>)
  // CHECK: mem.view %[[ARENA]][0] {{.*}}name = "5"
  %b5 = mem.buffer {name = "5"} : !mem.buffer<4096>
  %v5 = mem.descriptor %b5[0, 4096] : !mem.buffer<4096> -> memref<4096xi8>
  mem.kernel "op5" uses(%v4 : memref<1024xi8>) defines(%v5 : memref<4096xi8>)
  // CHECK-NOT: mem.buffer {
  return
}
