// `free` takes a pointer in the default memory space.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-dealloc)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-lower-dealloc,finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | FileCheck %s --check-prefix=LLVM
// Without the pass, upstream's lowering does not verify. Once it does, the pass is not needed any more.
// RUN: not mem-opt %s --pass-pipeline='builtin.module(finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' \
// RUN:   -o %t.none 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: operand type mismatch for operand 0: '!llvm.ptr<3>' != '!llvm.ptr'

// CHECK-LABEL: func.func @f
func.func @f() {
  %0 = memref.alloc() : memref<4xf32>
  // CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32, 3>
  %1 = memref.alloc() : memref<4xf32, 3>
  // CHECK: memref.dealloc %{{.*}} : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  // CHECK: %[[C:.*]] = memref.memory_space_cast %[[A]] : memref<4xf32, 3> to memref<4xf32>
  // CHECK: memref.dealloc %[[C]] : memref<4xf32>
  // LLVM: llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr
  // LLVM: llvm.call @free(%{{.*}}) : (!llvm.ptr) -> ()
  memref.dealloc %1 : memref<4xf32, 3>
  return
}
