// A slot that has been selected by comparing addresses does not hold what it avoids: before the
// lowering, and after it. A comparison that does not prove that is not believed.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rotations.mlir})' -o %t 2>&1 | count 0
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-mem-to-memref)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rotations.mlir})' -o %t 2>&1 | count 0
//
// Addresses below a slot count as addresses in it. Of two slots, only the first one is compared, and no address
// is below it.
// RUN: sed 's/cmpi ult/cmpi slt/' %t.mlir > %t.signed.mlir
// RUN: mem-opt %t.signed.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rotations.mlir})' -o %t 2>&1 | FileCheck %s --check-prefix=SIGNED
//
// The slot is taken if an address points into it.
// RUN: sed 's/select \(.*\), \(.*\), \(.*\) :/select \1, \3, \2 :/' %t.mlir > %t.swapped.mlir
// RUN: mem-opt %t.swapped.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rotations.mlir})' -o %t 2>&1 | FileCheck %s
//
// Only a part of the slot is compared.
// RUN: sed 's/constant 16 : index/constant 12 : index/' %t.mlir > %t.part.mlir
// RUN: mem-opt %t.part.mlir --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/rotations.mlir})' -o %t 2>&1 | FileCheck %s --check-prefix=PART
//
// SIGNED-NOT: @two
// SIGNED: warning: mem-validate: @three is not validated: an operand may be the storage of a result
// CHECK: warning: mem-validate: @two is not validated: an operand may be the storage of a result
// CHECK: warning: mem-validate: @three is not validated: an operand may be the storage of a result
// PART: mem-validate: {{.*}}@two
// PART: mem-validate: {{.*}}@three

func.func @two(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = mem.arena "arena", 32 : !mem.arena
  %a = mem.view %arena[0] : !mem.arena -> !mem.buffer<16>
  %b = mem.view %arena[16] : !mem.arena -> !mem.buffer<16>
  %first = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  memref.copy %x, %first : memref<4xf32> to memref<4xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<4xf32>) {
    %slot = mem.rotate(%a, %b) avoiding(%old : memref<4xf32>) : !mem.buffer<16>
    %new = mem.descriptor %slot[0, 16] : !mem.buffer<16> -> memref<4xf32>
    linalg.add ins(%old, %x : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    linalg.mul ins(%new, %old : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  }
  memref.copy %last, %y : memref<4xf32> to memref<4xf32>
  return
}

func.func @three(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = mem.arena "arena", 48 : !mem.arena
  %a = mem.view %arena[0] : !mem.arena -> !mem.buffer<16>
  %b = mem.view %arena[16] : !mem.arena -> !mem.buffer<16>
  %c = mem.view %arena[32] : !mem.arena -> !mem.buffer<16>
  %first = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  %second = mem.descriptor %b[0, 16] : !mem.buffer<16> -> memref<4xf32>
  memref.copy %x, %first : memref<4xf32> to memref<4xf32>
  memref.copy %x, %second : memref<4xf32> to memref<4xf32>
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first, %older = %second) -> (memref<4xf32>, memref<4xf32>) {
    %slot = mem.rotate(%a, %b, %c) avoiding(%old, %older : memref<4xf32>, memref<4xf32>) : !mem.buffer<16>
    %new = mem.descriptor %slot[0, 16] : !mem.buffer<16> -> memref<4xf32>
    linalg.add ins(%old, %older : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    linalg.mul ins(%new, %old : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new, %old : memref<4xf32>, memref<4xf32>
  }
  memref.copy %last#0, %y : memref<4xf32> to memref<4xf32>
  return
}
