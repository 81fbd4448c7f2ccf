// Programs run on the host machine, where the `index` type has 64 bits.
//
// RUN: not mem-run %s --compare 2>&1 | FileCheck %s
// CHECK: its data layout gives index 32 bits, and only 64 can be run
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  func.func @main(%a: memref<8xindex>) {
    return
  }
}
