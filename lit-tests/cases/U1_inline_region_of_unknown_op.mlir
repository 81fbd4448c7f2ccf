// Upstream's `inline` queries the uses of symbols and dereferences the result, which is empty if an
// unregistered operation has a region. Pipelines of this project therefore run `mem-inline` instead.
//
// RUN: mem-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu})' | FileCheck %s
// RUN: mem-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=npu optimize=false})' | FileCheck %s
// RUN: mem-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(mem-default-pipeline{hierarchy=gpu budget=16384})' | FileCheck %s
// RUN: mem-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(mem-to-memref-pipeline{hierarchy=npu})' | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT: "foo.region"
func.func @f() {
  "foo.region"() ({
    "foo.t"() : () -> ()
  }) : () -> ()
  return
}

// An unregistered operation that may be a symbol table, and a region without blocks.
// CHECK: "foo.top"
"foo.top"() ({
  %t = memref.alloc() : memref<8xf32>
  "foo.t"(%t) : (memref<8xf32>) -> ()
}) : () -> ()
"foo.empty"() ({
}) : () -> ()
