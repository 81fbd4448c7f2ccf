// Optimization remarks say which operation keeps the group with the largest peak from having another one, and why.
// There is none about groups that end where they do because that takes less memory, or that do not set the peak.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' --remarks-filter='mem-not-tiled' -o /dev/null 2>&1 | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile)' -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=NONE
// NONE-NOT: mem-not-tiled

// A call needs the whole buffer, and the result may overlap what has not been read yet.
// CHECK: limits.mlir:[[#@LINE+6]]:{{.*}} remark: [Missed] NotTileable | Category:mem-not-tiled | Function=called | Operation=func.call, Operations=0, Peak=1024, Reason="it can only be executed as a whole"
// CHECK: limits.mlir:[[#@LINE+12]]:{{.*}} remark: [Missed] VisibleWrite | Category:mem-not-tiled | Function=called | Operation=memref.copy, {{.*}}Remark="'memref.copy' keeps what sets the peak from running tile by tile: it writes memory that others see, and other operands may overlap it"
func.func private @extern(memref<16x16xf32>)
func.func @called(%x: memref<16x16xf32>, %out: memref<16x16xf32>) {
  %a = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%x : memref<16x16xf32>) outs(%a : memref<16x16xf32>)
  call @extern(%a) : (memref<16x16xf32>) -> ()
  %b = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%a : memref<16x16xf32>) outs(%b : memref<16x16xf32>)
  %c = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%b : memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  %d = memref.alloc() : memref<16x16xf32>
  linalg.exp ins(%c : memref<16x16xf32>) outs(%d : memref<16x16xf32>)
  memref.copy %d, %out : memref<16x16xf32> to memref<16x16xf32>
  return
}

// Rows of the large tensor exist one by one. What follows reads the result in an order of its own.
// CHECK: limits.mlir:[[#@LINE+20]]:{{.*}} remark: [Missed] NotTileable | Category:mem-not-tiled | Function=grouped | Operation=scf.for, Operations=[[#]], {{.*}}Remark="'scf.for' cannot be part of the group of [[#]] operations that sets the peak: it can only be executed as a whole"
// CHECK-NOT: Category
func.func @grouped(%x: memref<16x16xf32>, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<16x16x8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : memref<16x16xf32>) outs(%b : memref<16x16x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %e = math.exp %i : f32
    linalg.yield %e : f32
  }
  %c = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%b : memref<16x16x8xf32>) outs(%c : memref<16x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %e = arith.addf %i, %o : f32
    linalg.yield %e : f32
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %c[%i, %i] : memref<16x16xf32>
    memref.store %e, %out[] : memref<f32>
  }
  return
}
