// More parts than the analysis distinguishes: a remark says so, and the plan stays correct.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: accesses to 'a' begin and end at more than 64 different bytes
func.func @f() {
  %a = mem.buffer {name = "a"} : !mem.buffer<132>
  %d0 = mem.descriptor %a[0, 2] : !mem.buffer<132> -> memref<2xi8>
  %d1 = mem.descriptor %a[2, 2] : !mem.buffer<132> -> memref<2xi8>
  %d2 = mem.descriptor %a[4, 2] : !mem.buffer<132> -> memref<2xi8>
  %d3 = mem.descriptor %a[6, 2] : !mem.buffer<132> -> memref<2xi8>
  %d4 = mem.descriptor %a[8, 2] : !mem.buffer<132> -> memref<2xi8>
  %d5 = mem.descriptor %a[10, 2] : !mem.buffer<132> -> memref<2xi8>
  %d6 = mem.descriptor %a[12, 2] : !mem.buffer<132> -> memref<2xi8>
  %d7 = mem.descriptor %a[14, 2] : !mem.buffer<132> -> memref<2xi8>
  %d8 = mem.descriptor %a[16, 2] : !mem.buffer<132> -> memref<2xi8>
  %d9 = mem.descriptor %a[18, 2] : !mem.buffer<132> -> memref<2xi8>
  %d10 = mem.descriptor %a[20, 2] : !mem.buffer<132> -> memref<2xi8>
  %d11 = mem.descriptor %a[22, 2] : !mem.buffer<132> -> memref<2xi8>
  %d12 = mem.descriptor %a[24, 2] : !mem.buffer<132> -> memref<2xi8>
  %d13 = mem.descriptor %a[26, 2] : !mem.buffer<132> -> memref<2xi8>
  %d14 = mem.descriptor %a[28, 2] : !mem.buffer<132> -> memref<2xi8>
  %d15 = mem.descriptor %a[30, 2] : !mem.buffer<132> -> memref<2xi8>
  %d16 = mem.descriptor %a[32, 2] : !mem.buffer<132> -> memref<2xi8>
  %d17 = mem.descriptor %a[34, 2] : !mem.buffer<132> -> memref<2xi8>
  %d18 = mem.descriptor %a[36, 2] : !mem.buffer<132> -> memref<2xi8>
  %d19 = mem.descriptor %a[38, 2] : !mem.buffer<132> -> memref<2xi8>
  %d20 = mem.descriptor %a[40, 2] : !mem.buffer<132> -> memref<2xi8>
  %d21 = mem.descriptor %a[42, 2] : !mem.buffer<132> -> memref<2xi8>
  %d22 = mem.descriptor %a[44, 2] : !mem.buffer<132> -> memref<2xi8>
  %d23 = mem.descriptor %a[46, 2] : !mem.buffer<132> -> memref<2xi8>
  %d24 = mem.descriptor %a[48, 2] : !mem.buffer<132> -> memref<2xi8>
  %d25 = mem.descriptor %a[50, 2] : !mem.buffer<132> -> memref<2xi8>
  %d26 = mem.descriptor %a[52, 2] : !mem.buffer<132> -> memref<2xi8>
  %d27 = mem.descriptor %a[54, 2] : !mem.buffer<132> -> memref<2xi8>
  %d28 = mem.descriptor %a[56, 2] : !mem.buffer<132> -> memref<2xi8>
  %d29 = mem.descriptor %a[58, 2] : !mem.buffer<132> -> memref<2xi8>
  %d30 = mem.descriptor %a[60, 2] : !mem.buffer<132> -> memref<2xi8>
  %d31 = mem.descriptor %a[62, 2] : !mem.buffer<132> -> memref<2xi8>
  %d32 = mem.descriptor %a[64, 2] : !mem.buffer<132> -> memref<2xi8>
  %d33 = mem.descriptor %a[66, 2] : !mem.buffer<132> -> memref<2xi8>
  %d34 = mem.descriptor %a[68, 2] : !mem.buffer<132> -> memref<2xi8>
  %d35 = mem.descriptor %a[70, 2] : !mem.buffer<132> -> memref<2xi8>
  %d36 = mem.descriptor %a[72, 2] : !mem.buffer<132> -> memref<2xi8>
  %d37 = mem.descriptor %a[74, 2] : !mem.buffer<132> -> memref<2xi8>
  %d38 = mem.descriptor %a[76, 2] : !mem.buffer<132> -> memref<2xi8>
  %d39 = mem.descriptor %a[78, 2] : !mem.buffer<132> -> memref<2xi8>
  %d40 = mem.descriptor %a[80, 2] : !mem.buffer<132> -> memref<2xi8>
  %d41 = mem.descriptor %a[82, 2] : !mem.buffer<132> -> memref<2xi8>
  %d42 = mem.descriptor %a[84, 2] : !mem.buffer<132> -> memref<2xi8>
  %d43 = mem.descriptor %a[86, 2] : !mem.buffer<132> -> memref<2xi8>
  %d44 = mem.descriptor %a[88, 2] : !mem.buffer<132> -> memref<2xi8>
  %d45 = mem.descriptor %a[90, 2] : !mem.buffer<132> -> memref<2xi8>
  %d46 = mem.descriptor %a[92, 2] : !mem.buffer<132> -> memref<2xi8>
  %d47 = mem.descriptor %a[94, 2] : !mem.buffer<132> -> memref<2xi8>
  %d48 = mem.descriptor %a[96, 2] : !mem.buffer<132> -> memref<2xi8>
  %d49 = mem.descriptor %a[98, 2] : !mem.buffer<132> -> memref<2xi8>
  %d50 = mem.descriptor %a[100, 2] : !mem.buffer<132> -> memref<2xi8>
  %d51 = mem.descriptor %a[102, 2] : !mem.buffer<132> -> memref<2xi8>
  %d52 = mem.descriptor %a[104, 2] : !mem.buffer<132> -> memref<2xi8>
  %d53 = mem.descriptor %a[106, 2] : !mem.buffer<132> -> memref<2xi8>
  %d54 = mem.descriptor %a[108, 2] : !mem.buffer<132> -> memref<2xi8>
  %d55 = mem.descriptor %a[110, 2] : !mem.buffer<132> -> memref<2xi8>
  %d56 = mem.descriptor %a[112, 2] : !mem.buffer<132> -> memref<2xi8>
  %d57 = mem.descriptor %a[114, 2] : !mem.buffer<132> -> memref<2xi8>
  %d58 = mem.descriptor %a[116, 2] : !mem.buffer<132> -> memref<2xi8>
  %d59 = mem.descriptor %a[118, 2] : !mem.buffer<132> -> memref<2xi8>
  %d60 = mem.descriptor %a[120, 2] : !mem.buffer<132> -> memref<2xi8>
  %d61 = mem.descriptor %a[122, 2] : !mem.buffer<132> -> memref<2xi8>
  %d62 = mem.descriptor %a[124, 2] : !mem.buffer<132> -> memref<2xi8>
  %d63 = mem.descriptor %a[126, 2] : !mem.buffer<132> -> memref<2xi8>
  %d64 = mem.descriptor %a[128, 2] : !mem.buffer<132> -> memref<2xi8>
  %d65 = mem.descriptor %a[130, 2] : !mem.buffer<132> -> memref<2xi8>
  mem.kernel "w" defines(%d0 : memref<2xi8>)
  mem.kernel "w" defines(%d1 : memref<2xi8>)
  mem.kernel "w" defines(%d2 : memref<2xi8>)
  mem.kernel "w" defines(%d3 : memref<2xi8>)
  mem.kernel "w" defines(%d4 : memref<2xi8>)
  mem.kernel "w" defines(%d5 : memref<2xi8>)
  mem.kernel "w" defines(%d6 : memref<2xi8>)
  mem.kernel "w" defines(%d7 : memref<2xi8>)
  mem.kernel "w" defines(%d8 : memref<2xi8>)
  mem.kernel "w" defines(%d9 : memref<2xi8>)
  mem.kernel "w" defines(%d10 : memref<2xi8>)
  mem.kernel "w" defines(%d11 : memref<2xi8>)
  mem.kernel "w" defines(%d12 : memref<2xi8>)
  mem.kernel "w" defines(%d13 : memref<2xi8>)
  mem.kernel "w" defines(%d14 : memref<2xi8>)
  mem.kernel "w" defines(%d15 : memref<2xi8>)
  mem.kernel "w" defines(%d16 : memref<2xi8>)
  mem.kernel "w" defines(%d17 : memref<2xi8>)
  mem.kernel "w" defines(%d18 : memref<2xi8>)
  mem.kernel "w" defines(%d19 : memref<2xi8>)
  mem.kernel "w" defines(%d20 : memref<2xi8>)
  mem.kernel "w" defines(%d21 : memref<2xi8>)
  mem.kernel "w" defines(%d22 : memref<2xi8>)
  mem.kernel "w" defines(%d23 : memref<2xi8>)
  mem.kernel "w" defines(%d24 : memref<2xi8>)
  mem.kernel "w" defines(%d25 : memref<2xi8>)
  mem.kernel "w" defines(%d26 : memref<2xi8>)
  mem.kernel "w" defines(%d27 : memref<2xi8>)
  mem.kernel "w" defines(%d28 : memref<2xi8>)
  mem.kernel "w" defines(%d29 : memref<2xi8>)
  mem.kernel "w" defines(%d30 : memref<2xi8>)
  mem.kernel "w" defines(%d31 : memref<2xi8>)
  mem.kernel "w" defines(%d32 : memref<2xi8>)
  mem.kernel "w" defines(%d33 : memref<2xi8>)
  mem.kernel "w" defines(%d34 : memref<2xi8>)
  mem.kernel "w" defines(%d35 : memref<2xi8>)
  mem.kernel "w" defines(%d36 : memref<2xi8>)
  mem.kernel "w" defines(%d37 : memref<2xi8>)
  mem.kernel "w" defines(%d38 : memref<2xi8>)
  mem.kernel "w" defines(%d39 : memref<2xi8>)
  mem.kernel "w" defines(%d40 : memref<2xi8>)
  mem.kernel "w" defines(%d41 : memref<2xi8>)
  mem.kernel "w" defines(%d42 : memref<2xi8>)
  mem.kernel "w" defines(%d43 : memref<2xi8>)
  mem.kernel "w" defines(%d44 : memref<2xi8>)
  mem.kernel "w" defines(%d45 : memref<2xi8>)
  mem.kernel "w" defines(%d46 : memref<2xi8>)
  mem.kernel "w" defines(%d47 : memref<2xi8>)
  mem.kernel "w" defines(%d48 : memref<2xi8>)
  mem.kernel "w" defines(%d49 : memref<2xi8>)
  mem.kernel "w" defines(%d50 : memref<2xi8>)
  mem.kernel "w" defines(%d51 : memref<2xi8>)
  mem.kernel "w" defines(%d52 : memref<2xi8>)
  mem.kernel "w" defines(%d53 : memref<2xi8>)
  mem.kernel "w" defines(%d54 : memref<2xi8>)
  mem.kernel "w" defines(%d55 : memref<2xi8>)
  mem.kernel "w" defines(%d56 : memref<2xi8>)
  mem.kernel "w" defines(%d57 : memref<2xi8>)
  mem.kernel "w" defines(%d58 : memref<2xi8>)
  mem.kernel "w" defines(%d59 : memref<2xi8>)
  mem.kernel "w" defines(%d60 : memref<2xi8>)
  mem.kernel "w" defines(%d61 : memref<2xi8>)
  mem.kernel "w" defines(%d62 : memref<2xi8>)
  mem.kernel "w" defines(%d63 : memref<2xi8>)
  mem.kernel "w" defines(%d64 : memref<2xi8>)
  mem.kernel "w" defines(%d65 : memref<2xi8>)
  mem.kernel "r" uses(%d0 : memref<2xi8>)
  mem.kernel "r" uses(%d1 : memref<2xi8>)
  mem.kernel "r" uses(%d2 : memref<2xi8>)
  mem.kernel "r" uses(%d3 : memref<2xi8>)
  mem.kernel "r" uses(%d4 : memref<2xi8>)
  mem.kernel "r" uses(%d5 : memref<2xi8>)
  mem.kernel "r" uses(%d6 : memref<2xi8>)
  mem.kernel "r" uses(%d7 : memref<2xi8>)
  mem.kernel "r" uses(%d8 : memref<2xi8>)
  mem.kernel "r" uses(%d9 : memref<2xi8>)
  mem.kernel "r" uses(%d10 : memref<2xi8>)
  mem.kernel "r" uses(%d11 : memref<2xi8>)
  mem.kernel "r" uses(%d12 : memref<2xi8>)
  mem.kernel "r" uses(%d13 : memref<2xi8>)
  mem.kernel "r" uses(%d14 : memref<2xi8>)
  mem.kernel "r" uses(%d15 : memref<2xi8>)
  mem.kernel "r" uses(%d16 : memref<2xi8>)
  mem.kernel "r" uses(%d17 : memref<2xi8>)
  mem.kernel "r" uses(%d18 : memref<2xi8>)
  mem.kernel "r" uses(%d19 : memref<2xi8>)
  mem.kernel "r" uses(%d20 : memref<2xi8>)
  mem.kernel "r" uses(%d21 : memref<2xi8>)
  mem.kernel "r" uses(%d22 : memref<2xi8>)
  mem.kernel "r" uses(%d23 : memref<2xi8>)
  mem.kernel "r" uses(%d24 : memref<2xi8>)
  mem.kernel "r" uses(%d25 : memref<2xi8>)
  mem.kernel "r" uses(%d26 : memref<2xi8>)
  mem.kernel "r" uses(%d27 : memref<2xi8>)
  mem.kernel "r" uses(%d28 : memref<2xi8>)
  mem.kernel "r" uses(%d29 : memref<2xi8>)
  mem.kernel "r" uses(%d30 : memref<2xi8>)
  mem.kernel "r" uses(%d31 : memref<2xi8>)
  mem.kernel "r" uses(%d32 : memref<2xi8>)
  mem.kernel "r" uses(%d33 : memref<2xi8>)
  mem.kernel "r" uses(%d34 : memref<2xi8>)
  mem.kernel "r" uses(%d35 : memref<2xi8>)
  mem.kernel "r" uses(%d36 : memref<2xi8>)
  mem.kernel "r" uses(%d37 : memref<2xi8>)
  mem.kernel "r" uses(%d38 : memref<2xi8>)
  mem.kernel "r" uses(%d39 : memref<2xi8>)
  mem.kernel "r" uses(%d40 : memref<2xi8>)
  mem.kernel "r" uses(%d41 : memref<2xi8>)
  mem.kernel "r" uses(%d42 : memref<2xi8>)
  mem.kernel "r" uses(%d43 : memref<2xi8>)
  mem.kernel "r" uses(%d44 : memref<2xi8>)
  mem.kernel "r" uses(%d45 : memref<2xi8>)
  mem.kernel "r" uses(%d46 : memref<2xi8>)
  mem.kernel "r" uses(%d47 : memref<2xi8>)
  mem.kernel "r" uses(%d48 : memref<2xi8>)
  mem.kernel "r" uses(%d49 : memref<2xi8>)
  mem.kernel "r" uses(%d50 : memref<2xi8>)
  mem.kernel "r" uses(%d51 : memref<2xi8>)
  mem.kernel "r" uses(%d52 : memref<2xi8>)
  mem.kernel "r" uses(%d53 : memref<2xi8>)
  mem.kernel "r" uses(%d54 : memref<2xi8>)
  mem.kernel "r" uses(%d55 : memref<2xi8>)
  mem.kernel "r" uses(%d56 : memref<2xi8>)
  mem.kernel "r" uses(%d57 : memref<2xi8>)
  mem.kernel "r" uses(%d58 : memref<2xi8>)
  mem.kernel "r" uses(%d59 : memref<2xi8>)
  mem.kernel "r" uses(%d60 : memref<2xi8>)
  mem.kernel "r" uses(%d61 : memref<2xi8>)
  mem.kernel "r" uses(%d62 : memref<2xi8>)
  mem.kernel "r" uses(%d63 : memref<2xi8>)
  mem.kernel "r" uses(%d64 : memref<2xi8>)
  mem.kernel "r" uses(%d65 : memref<2xi8>)
  return
}
