// Without a plan nothing is printed, which is not an error; the JSON output is still valid.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-plan{output=-})' -o /dev/null | FileCheck %s --allow-empty
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-print-plan{format=json output=-})' -o /dev/null \
// RUN:   | python3 -m json.tool | FileCheck %s --check-prefix=JSON
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,mem-plan,mem-print-plan{format=summary output=-})' -o /dev/null \
// RUN:   | FileCheck %s --allow-empty

// CHECK-NOT: @f
// JSON: "buffers": []
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}
