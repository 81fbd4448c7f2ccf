// Programs run on this machine, where a number of type index has 64 bits.
//
// RUN: not mem-run %s --compare 2>&1 | FileCheck %s
// CHECK: its data layout gives index 32 bits, and only 64 can be run
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  func.func @main(%a: memref<8xindex>) {
    return
  }
}
