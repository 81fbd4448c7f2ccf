// Buffers that the program copies in parts are on the host, and whole copies connect both sides.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-offload-streams{hierarchy=gpu},mem-validate)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-offload-streams{hierarchy=gpu})' -o /dev/null --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-offload-streams{hierarchy=gpu break=lost-store},mem-validate)' 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-snapshot,mem-offload-streams{hierarchy=gpu break=lost-load},mem-validate)' 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-offload-streams{hierarchy=gpu break=nothing})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// STORE: error:
// LOAD: error:
// UNKNOWN: break
// COUNT: 5 moved - Buffers that are on the host
// COUNT: 640 bytes

// Whoever reads the buffer next does so beside the copy.
// CHECK-LABEL: func.func @read_from_the_host
// CHECK: %[[HOST:.*]] = memref.alloc() : memref<32xf32, #mem.space<"host">>
// CHECK: %[[A:.*]] = memref.alloc() : memref<32xf32>
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[A]] :
// CHECK: %[[COPY:.*]] = mem.store async %[[A]] to %[[HOST]]
// CHECK: linalg.exp ins(%[[A]]
// CHECK: mem.wait %[[COPY]]
// CHECK: scf.for
// CHECK: %[[ROWS:.*]] = memref.subview %[[HOST]]
// CHECK: mem.load %[[ROWS]] to %{{.*}} : memref<8xf32, strided<[1], offset: ?>, #mem.space<"host">> to memref<8xf32>
// CHECK: }
// CHECK-NEXT: memref.dealloc %[[HOST]]
func.func @read_from_the_host(%x: memref<32xf32>, %y: memref<32xf32>, %z: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  %stage = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  linalg.exp ins(%a : memref<32xf32>) outs(%y : memref<32xf32>)
  scf.for %i = %c0 to %c32 step %c8 {
    %rows = memref.subview %a[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    mem.load %rows to %stage : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32>
    %own = memref.subview %z[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.log ins(%stage : memref<8xf32>) outs(%own : memref<8xf32, strided<[1], offset: ?>>)
  }
  memref.dealloc %a : memref<32xf32>
  return
}

// The whole buffer comes back for an operation, and what copies it does so from the host.
// CHECK-LABEL: func.func @written_to_the_host
// CHECK: %[[COPIED:.*]] = memref.alloc() : memref<32xf32, #mem.space<"host">>
// CHECK: %[[HOST:.*]] = memref.alloc() : memref<32xf32, #mem.space<"host">>
// CHECK: %[[A:.*]] = memref.alloc() : memref<32xf32>
// CHECK: scf.for
// CHECK: mem.store %{{.*}} to %{{.*}} : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>, #mem.space<"host">>
// CHECK: }
// CHECK: mem.load %[[COPIED]] to %{{.*}} : memref<32xf32, #mem.space<"host">> to memref<32xf32>
// CHECK: mem.load %[[HOST]] to %[[A]]
// CHECK: linalg.log ins(%[[A]]
func.func @written_to_the_host(%x: memref<32xf32>, %y: memref<32xf32>, %z: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %copied = memref.alloc() : memref<32xf32>
  %a = memref.alloc() : memref<32xf32>
  %stage = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c32 step %c8 {
    %own = memref.subview %x[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.exp ins(%own : memref<8xf32, strided<[1], offset: ?>>) outs(%stage : memref<8xf32>)
    %rows = memref.subview %a[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    mem.store %stage to %rows : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %others = memref.subview %copied[%i] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: ?>>
    mem.store %stage to %others : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  }
  memref.copy %copied, %y : memref<32xf32> to memref<32xf32>
  linalg.log ins(%a : memref<32xf32>) outs(%z : memref<32xf32>)
  return
}

// Rows that are not written keep what the device has computed, and what follows the copy of all is not beside it.
// CHECK-LABEL: func.func @some_rows
// CHECK: linalg.exp ins(%{{.*}}) outs(%[[A:.*]] : memref<32xf32>)
// CHECK-NEXT: mem.store %[[A]] to %[[HOST:.*]] : memref<32xf32> to memref<32xf32, #mem.space<"host">>
// CHECK: mem.store async %{{.*}} to %{{.*}} : memref<8xf32> to memref<8xf32, strided<[1]>, #mem.space<"host">>
// CHECK: mem.load %[[HOST]] to %[[A]]
// CHECK: linalg.log ins(%[[A]]
func.func @some_rows(%x: memref<32xf32>, %z: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32>
  %stage = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  %own = memref.subview %x[8] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1], offset: 8>>
  linalg.exp ins(%own : memref<8xf32, strided<[1], offset: 8>>) outs(%stage : memref<8xf32>)
  %rows = memref.subview %a[0] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1]>>
  %token = mem.store async %stage to %rows : memref<8xf32> to memref<8xf32, strided<[1]>>
  mem.wait %token
  linalg.log ins(%a : memref<32xf32>) outs(%z : memref<32xf32>)
  return
}

// Changed on the device after it was copied: copied again.
// CHECK-LABEL: func.func @twice
// CHECK: mem.store %[[A:.*]] to %[[HOST:.*]] : memref<32xf32> to memref<32xf32, #mem.space<"host">>
// CHECK: mem.load {{.*}}#mem.space<"host">> to memref<8xf32>
// CHECK: linalg.add {{.*}} outs(%[[A]]
// CHECK: mem.store %[[A]] to %[[HOST]]
// CHECK: mem.load {{.*}}#mem.space<"host">> to memref<8xf32>
func.func @twice(%x: memref<32xf32>, %z: memref<8xf32>) {
  %a = memref.alloc() : memref<32xf32>
  %stage = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
  %rows = memref.subview %a[0] [8] [1] : memref<32xf32> to memref<8xf32, strided<[1]>>
  mem.load %rows to %stage : memref<8xf32, strided<[1]>> to memref<8xf32>
  linalg.exp ins(%stage : memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.add ins(%x, %x : memref<32xf32>, memref<32xf32>) outs(%a : memref<32xf32>)
  mem.load %rows to %stage : memref<8xf32, strided<[1]>> to memref<8xf32>
  linalg.log ins(%stage : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}
