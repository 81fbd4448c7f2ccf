// A thousand nested levels, a chain of a hundred thousand views, and thousands of buffers cause
// neither a stack overflow nor quadratic time. (Beyond about three thousand levels, MLIR's own
// parser overflows a stack of 8 MiB.)
//
// RUN: python3 %S/Inputs/generate.py nest 1000 > %t.nest.mlir
// RUN: mem-opt %t.nest.mlir --pass-pipeline='builtin.module(mem-to-memref-pipeline{optimize=false})' | FileCheck %s --check-prefix=NEST
// RUN: python3 %S/Inputs/generate.py chain 100000 > %t.chain.mlir
// RUN: mem-opt %t.chain.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s --check-prefix=CHAIN
// RUN: python3 %S/Inputs/generate.py many 5000 > %t.many.mlir
// RUN: mem-opt %t.many.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s --check-prefix=MANY
// RUN: python3 %S/Inputs/generate.py calls 2000 > %t.calls.mlir
// RUN: mem-opt %t.calls.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s --check-prefix=CALLS

// RUN: python3 %S/Inputs/generate.py sizes 3000 > %t.sizes.mlir
// RUN: mem-opt %t.sizes.mlir --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false})' | FileCheck %s --check-prefix=SIZES

// NEST: memref.alloc() {{.*}} : memref<16xi8>
// CHAIN: mem.arena "arena", 16
// MANY: mem.arena "arena", 16
// SIZES-NOT: memref.alloc
// SIZES: mem.arena "arena", %
// CALLS: func.func @f0
// CALLS: mem.arena "arena", 32000
