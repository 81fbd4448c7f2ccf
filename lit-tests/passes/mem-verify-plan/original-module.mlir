// A planned module must also match the original in its globals, its nested modules and all
// attributes: a change to any of them is rejected, although the plan itself is correct.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mem.mlir
// RUN: mem-opt %t.mem.mlir --pass-pipeline='builtin.module(mem-plan)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null
//
// A different initial value, a global made mutable, an extra global, and a missing global.
// RUN: sed 's/dense<1.0[0e+]*>/dense<2.0>/' %t.mlir > %t.value.mlir
// RUN: not mem-opt %t.value.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: sed 's/"private" constant @k/"private" @k/' %t.mlir > %t.constant.mlir
// RUN: not mem-opt %t.constant.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: {{.*}}.mlir:[[#]]:[[#]]: error: this 'memref.global' has not the attributes that it has in the original program
// GLOBAL: .mem.mlir:[[#]]:[[#]]: note: which is this 'memref.global'
// RUN: sed 's/\(memref.global "private" constant @k\)\(.*\)/\1\2 \1_too\2/' %t.mlir > %t.more.mlir
// RUN: not mem-opt %t.more.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: error: the original module has no counterpart of this 'memref.global'
// RUN: grep -v '@unused' %t.mlir > %t.fewer.mlir
// RUN: not mem-opt %t.fewer.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: error: the planned module has no counterpart of this 'memref.global'
//
// A different operation in a nested module.
// RUN: sed 's/linalg.log/linalg.sqrt/' %t.mlir > %t.nested.mlir
// RUN: not mem-opt %t.nested.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NESTED
// NESTED: error: this 'linalg.sqrt' is not what the original program has here
// NESTED: note: which is this 'linalg.log'
//
// An assertion about arguments that the original does not make is rejected, unless an option makes it.
// RUN: sed 's/@main(%arg0: memref<8xf32> {/@main(%arg0: memref<8xf32> {mem.noalias, /' %t.mlir > %t.noalias.mlir
// RUN: not mem-opt %t.noalias.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: mem-opt %t.noalias.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir noalias-arguments=true})' -o /dev/null
// RUN: sed 's/func.func @main/func.func private @main/' %t.mlir > %t.private.mlir
// RUN: not mem-opt %t.private.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: sed 's/role<input>/role<output>/' %t.mlir > %t.role.mlir
// RUN: not mem-opt %t.role.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: sed 's/@main(%arg0: memref<8xf32>/@main(%arg0: memref<8xf32, strided<[1]>>/; s/linalg.add ins(%arg0, \(.*\) : memref<8xf32>, /linalg.add ins(%arg0, \1 : memref<8xf32, strided<[1]>>, /' %t.mlir > %t.type.mlir
// RUN: not mem-opt %t.type.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: sed 's/@declared(memref<8xf32>)/@declared(memref<9xf32>)/' %t.mlir > %t.declared.mlir
// RUN: not mem-opt %t.declared.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTION
// Roles may be omitted, because they can be inferred.
// RUN: sed 's/{mem.role = #mem.role<[a-z]*>}//g' %t.mlir > %t.roleless.mlir
// RUN: mem-opt %t.roleless.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null
// FUNCTION: error: this 'func.func' has not the attributes that it has in the original program
//
// Attributes of the module.
// RUN: sed 's/^module {/module attributes {my.version = 2 : i64} {/' %t.mlir > %t.module.mlir
// RUN: not mem-opt %t.module.mlir --pass-pipeline='builtin.module(mem-verify-plan{original=%t.mem.mlir})' -o /dev/null --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: error: this 'builtin.module' has not the attributes that it has in the original program

module {
  memref.global "private" constant @k : memref<8xf32> = dense<1.0>
  memref.global "private" @unused : memref<8xf32> = uninitialized
  func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
    %k = memref.get_global @k : memref<8xf32>
    %t = memref.alloc() : memref<8xf32>
    linalg.add ins(%a, %k : memref<8xf32>, memref<8xf32>) outs(%t : memref<8xf32>)
    linalg.exp ins(%t : memref<8xf32>) outs(%b : memref<8xf32>)
    return
  }
  func.func private @declared(memref<8xf32>)
  module @m {
    func.func @g(%a: memref<8xf32>, %b: memref<8xf32>) {
      %t = memref.alloc() : memref<8xf32>
      linalg.log ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
      linalg.exp ins(%t : memref<8xf32>) outs(%b : memref<8xf32>)
      return
    }
  }
}
