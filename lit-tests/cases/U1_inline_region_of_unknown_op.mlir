// Upstream's `inline` asks for the uses of symbols and dereferences the answer, which is none where an operation that is not
// registered has a region. No pipeline of this project may run it on that: `mem-inline` takes its place.
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

// A symbol table that nobody knows as one, and a region without blocks.
// CHECK: "foo.top"
"foo.top"() ({
  %t = memref.alloc() : memref<8xf32>
  "foo.t"(%t) : (memref<8xf32>) -> ()
}) : () -> ()
"foo.empty"() ({
}) : () -> ()
