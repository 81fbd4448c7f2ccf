// Two threads: one must not overwrite what the other reads, although those bytes would be free without asynchrony.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{optimize=false},convert-mem-to-memref,async-to-async-runtime,async-runtime-ref-counting,convert-async-to-llvm,convert-linalg-to-loops,expand-strided-metadata,lower-affine,convert-scf-to-cf,finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | mlir-runner -e main -entry-point-result=i32 -O0 --shared-libs=%llvm_lib/libmlir_async_runtime.so | FileCheck %s
//
// 64 times the sum of 0 to 999, accumulated while another thread fills a buffer with sevens. If that
// buffer shared the addresses of the summed buffer, the result would be 64 times 7000 instead.
// CHECK: 31968000
func.func private @slow(%a: memref<1000xi32>, %sum: memref<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<1000xi32>
    %s = memref.load %sum[] : memref<i32>
    %t = arith.addi %x, %s : i32
    memref.store %t, %sum[] : memref<i32>
  }
  return
}
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %total = memref.alloc() : memref<i32>
  memref.store %zero, %total[] : memref<i32>
  scf.for %i = %c0 to %rounds step %c1 {
    %a = memref.alloc() : memref<1000xi32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<1000xi32>) {
    ^bb0(%o: i32):
      %k = linalg.index 0 : index
      %v = arith.index_cast %k : index to i32
      linalg.yield %v : i32
    }
    %t = async.execute {
      func.call @slow(%a, %total) : (memref<1000xi32>, memref<i32>) -> ()
      async.yield
    }
    %b = memref.alloc() : memref<1000xi32>
    linalg.fill ins(%seven : i32) outs(%b : memref<1000xi32>)
    async.await %t : !async.token
    %x = memref.load %b[%i] : memref<1000xi32>
    %s = memref.load %total[] : memref<i32>
    %u = arith.subi %x, %seven : i32
    %w = arith.addi %s, %u : i32
    memref.store %w, %total[] : memref<i32>
  }
  %r = memref.load %total[] : memref<i32>
  return %r : i32
}
