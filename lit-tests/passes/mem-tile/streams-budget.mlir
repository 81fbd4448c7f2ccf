// Within a budget that no tiles fit otherwise, rows of what groups access as a whole are copied from and to the host,
// tile by tile, beside computation.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=budget budget=20000 stream=true noalias-arguments=true})' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=budget budget=20000 noalias-arguments=true})' | FileCheck %s --check-prefix=WHOLE
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=70000 tile=fit noalias-arguments=true})' | FileCheck %s --check-prefix=DEVICE
// Without a hierarchy, there is no host, and nothing to move there.
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{budget=70000 tile=fit noalias-arguments=true})' -o /dev/null
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=70000 noalias-arguments=true})' 2>&1 | FileCheck %s --check-prefix=UNTILED
// RUN: mem-run --compare --hierarchy gpu --budget 20000 --pipeline-options 'tile=fit' %s | FileCheck %s --check-prefix=EQUAL

// Both results leave tile by tile.
// CHECK-LABEL: func.func @main(
// CHECK: scf.for
// CHECK: mem.store async
// CHECK: mem.store async

// WHOLE-LABEL: func.func @main(
// WHOLE-NOT: mem.store

// DEVICE: mem.arena "hbm", {{[0-9]+}} 
// DEVICE: memref.alloc() : memref<256x64xf32, #mem.space<"host">>
// DEVICE: mem.store async {{.*}} to memref<{{.*}}, #mem.space<"host">>

// UNTILED: error: no plan within a budget of 70000 bytes

// EQUAL: equal: 4 values
func.func @main(%x: memref<256x64xf32>, %w: memref<256x64xf32>, %out: memref<256x64xf32>, %out2: memref<256x64xf32>) {
  %a = memref.alloc() : memref<256x64xf32>
  %b = memref.alloc() : memref<256x64xf32>
  %c = memref.alloc() : memref<256x64xf32>
  %d = memref.alloc() : memref<256x64xf32>
  %e = memref.alloc() : memref<256x64xf32>
  linalg.exp ins(%x : memref<256x64xf32>) outs(%a : memref<256x64xf32>)
  linalg.exp ins(%a : memref<256x64xf32>) outs(%b : memref<256x64xf32>)
  linalg.add ins(%b, %a : memref<256x64xf32>, memref<256x64xf32>) outs(%c : memref<256x64xf32>)
  linalg.add ins(%b, %c : memref<256x64xf32>, memref<256x64xf32>) outs(%d : memref<256x64xf32>)
  linalg.mul ins(%b, %c : memref<256x64xf32>, memref<256x64xf32>) outs(%e : memref<256x64xf32>)
  memref.copy %d, %out : memref<256x64xf32> to memref<256x64xf32>
  memref.copy %e, %out2 : memref<256x64xf32> to memref<256x64xf32>
  return
}
