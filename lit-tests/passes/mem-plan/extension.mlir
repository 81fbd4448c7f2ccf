// No free block is large enough for "big": the largest one, 100 bytes in the middle of the arena,
// grows to 150, and what lies above it moves up by the 50 that are missing.
//
//   before:  "below" [0, 100)   free [100, 200)   "above" [200, 300)
//   after:   "below" [0, 100)   "big" [100, 250)  "above" [250, 350)
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s

// CHECK-LABEL: func.func @middle
func.func @middle() {
  // CHECK: mem.arena "arena", 350
  // CHECK: mem.view %arena[0] {{.*}}name = "below"
  %below = mem.buffer {name = "below"} : !mem.buffer<100>
  %0 = mem.descriptor %below[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "a" defines(%0 : memref<100xi8>)
  // CHECK: mem.view %arena[100] {{.*}}name = "gone"
  %gone = mem.buffer {name = "gone"} : !mem.buffer<100>
  %1 = mem.descriptor %gone[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "b" defines(%1 : memref<100xi8>)
  // CHECK: mem.view %arena[250] {{.*}}name = "above"
  %above = mem.buffer {name = "above"} : !mem.buffer<100>
  %2 = mem.descriptor %above[0, 100] : !mem.buffer<100> -> memref<100xi8>
  mem.kernel "c" uses(%1 : memref<100xi8>) defines(%2 : memref<100xi8>)
  // CHECK: mem.view %arena[100] {{.*}}name = "big"
  %big = mem.buffer {name = "big"} : !mem.buffer<150>
  %3 = mem.descriptor %big[0, 150] : !mem.buffer<150> -> memref<150xi8>
  mem.kernel "d" defines(%3 : memref<150xi8>)
  mem.kernel "e" uses(%0, %2, %3 : memref<100xi8>, memref<100xi8>, memref<150xi8>)
      defines(%0 : memref<100xi8>)
  mem.kernel "f" uses(%0 : memref<100xi8>) defines(%2 : memref<100xi8>)
  return
}
