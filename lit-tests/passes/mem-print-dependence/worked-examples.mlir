// Reaching definitions, kill sets and phis of three small programs, derived by hand. Ranges are half-open.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-dependence{output=-})' -o /dev/null | FileCheck %s

// A. A definition is killed piece by piece: ir3 kills one half, ir5 kills the rest, and then it no longer reaches.
//
// CHECK-LABEL: @a
// CHECK: s0 ir1
// CHECK-NEXT: define b[0, 32) -> s1, s3
// CHECK-NEXT: s1 ir2
// CHECK-NEXT: use b[0, 32) <- s0 b[0, 32)
// CHECK-NEXT: s2 ir3
// CHECK-NEXT: define b[0, 16) -> s3, s5
// CHECK-NEXT: kills s0 [0, 16)
// CHECK-NEXT: s3 ir4
// CHECK-NEXT: use b[0, 32) <- s0 b[16, 32), s2 b[0, 16)
// CHECK-NEXT: s4 ir5
// CHECK-NEXT: define b[16, 32) -> s5
// CHECK-NEXT: kills s0 [0, 32)
// CHECK-NEXT: s5 ir6
// CHECK-NEXT: use b[0, 65) <- undefined b[32, 65), s2 b[0, 16), s4 b[16, 32)
func.func @a() {
  %b = mem.buffer {name = "b"} : !mem.buffer<65>
  %md1 = mem.descriptor %b[0, 32] : !mem.buffer<65> -> memref<32xi8>
  %md2 = mem.descriptor %b[0, 16] : !mem.buffer<65> -> memref<16xi8>
  %md3 = mem.descriptor %b[16, 16] : !mem.buffer<65> -> memref<16xi8>
  %md4 = mem.descriptor %b[0, 65] : !mem.buffer<65> -> memref<65xi8>
  mem.kernel "ir1" defines(%md1 : memref<32xi8>)
  mem.kernel "ir2" uses(%md1 : memref<32xi8>)
  mem.kernel "ir3" defines(%md2 : memref<16xi8>)
  mem.kernel "ir4" uses(%md1 : memref<32xi8>)
  mem.kernel "ir5" defines(%md3 : memref<16xi8>)
  mem.kernel "ir6" uses(%md4 : memref<65xi8>)
  return
}

// B. Bounds known only at run time, may-definitions, and a predicate. ir3 reads up to a different
// bound than the one up to which ir2 wrote. A read up to the same bound sees nothing of ir1.
//
// CHECK-LABEL: @b
// CHECK: s2 ir3
// CHECK-NEXT: use a[0, v1) <- s0 a[0, 32), s1 a[0, 32)
// CHECK-NEXT: s3 ir3 of the same x
// CHECK-NEXT: use a[0, v0) <- s1 a[0, 32)
// CHECK: s5 ir5
// CHECK-NEXT: define a[0, 32) if v2 -> s6, s7
// CHECK-NEXT: s6 ir6
// CHECK-NEXT: use a[0, 32)? <- s0 a[0, 32), s1 a[0, 32), s4.0 a[0, 32), s5 a[0, 32)
// CHECK-NEXT: use b[0, 64)? <- undefined b[0, 64), s4.1 b[0, 64)
// CHECK-NEXT: s7 ir7
// CHECK-NEXT: use a[0, 32) <- s0 a[0, 32), s1 a[0, 32), s4.0 a[0, 32), s5 a[0, 32)
func.func @b(%x: index, %y: index, %p: i1) {
  %a = mem.buffer {name = "a"} : !mem.buffer<32>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %md1 = mem.descriptor %a[0, 32] : !mem.buffer<32> -> memref<32xi8>
  %md2 = mem.descriptor %a[0, %x] : !mem.buffer<32> -> memref<?xi8>
  %md2y = mem.descriptor %a[0, %y] : !mem.buffer<32> -> memref<?xi8>
  %md4 = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<64xi8>
  mem.kernel "ir1" defines(%md1 : memref<32xi8>)
  mem.kernel "ir2" defines(%md2 : memref<?xi8>)
  mem.kernel "ir3" uses(%md2y : memref<?xi8>)
  mem.kernel "ir3 of the same x" uses(%md2 : memref<?xi8>)
  mem.kernel "ir4" may_defines(%md1, %md4 : memref<32xi8>, memref<64xi8>)
  mem.kernel "ir5" defines(%md1 : memref<32xi8>) if %p
  mem.kernel "ir6" may_uses(%md1, %md4 : memref<32xi8>, memref<64xi8>)
  mem.kernel "ir7" uses(%md1 : memref<32xi8>)
  return
}

// C. The join unites the definitions of both sides and intersects their kills, [1, 128) and [32, 64):
// ir1 to ir4 still reach everywhere except in [32, 64).
//
// CHECK-LABEL: @c
// CHECK: s3 kill
// CHECK-NEXT: define b[1, 128) -> s7
// CHECK-NEXT: kills s1 [1, 128)
// CHECK-NEXT: kills s2 [1, 128)
// CHECK: s6 kill
// CHECK-NEXT: define b[32, 64) -> s7
// CHECK-NEXT: kills s4 [32, 64)
// CHECK-NEXT: kills s5 [32, 64)
// CHECK-NEXT: bb3 from bb1, bb2
// CHECK-NEXT: joins b[0, 128)
// CHECK-NEXT: s7 use
// CHECK-NEXT: use b[0, 128) <- s1 b[0, 1), s2 b[0, 1), s3 b[1, 128), s4 b[0, 32)[64, 128), s5 b[0, 32)[64, 128), s6 b[32, 64)
func.func @c(%p: i1, %q: i1) {
  %b = mem.buffer {name = "b"} : !mem.buffer<128>
  %md1 = mem.descriptor %b[0, 128] : !mem.buffer<128> -> memref<128xi8>
  %high = mem.descriptor %b[1, 127] : !mem.buffer<128> -> memref<127xi8>
  %middle = mem.descriptor %b[32, 32] : !mem.buffer<128> -> memref<32xi8>
  scf.if %p {
    mem.kernel "ir1" defines(%md1 : memref<128xi8>)
    mem.kernel "ir2" defines(%md1 : memref<128xi8>) if %q
    mem.kernel "kill" defines(%high : memref<127xi8>)
  } else {
    mem.kernel "ir3" defines(%md1 : memref<128xi8>)
    mem.kernel "ir4" defines(%md1 : memref<128xi8>) if %q
    mem.kernel "kill" defines(%middle : memref<32xi8>)
  }
  mem.kernel "use" uses(%md1 : memref<128xi8>)
  return
}
