// Branches that depend on the rank are joined, and a remark says what single ranks could save.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' --remarks-filter='mem-peak' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=OneRank

// The second arm has two buffers at once, the first one has one.
// CHECK-DAG: [Analysis] OneRank | Category:mem-peak | Function=arms | Condition=true, LiveBytes=64, LowerBound=128, Remark="ranks for which this condition is true could save 64 bytes: they need 64, and all ranks together 128", Saved=64
func.func @arms(%x: memref<16xf32>, %y: memref<16xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %odd = arith.andi %rank, %one : i32
  %even = arith.cmpi eq, %odd, %zero : i32
  scf.if %even {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    mpi.send(%a, %zero, %one, %world) : memref<16xf32>, i32, i32
  } else {
    %b = memref.alloc() : memref<16xf32>
    %c = memref.alloc() : memref<16xf32>
    mpi.recv(%b, %zero, %zero, %world) : memref<16xf32>, i32, i32
    mpi.recv(%c, %zero, %zero, %world) : memref<16xf32>, i32, i32
    linalg.add ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  }
  return
}

// A buffer from outside that only one arm needs.
// CHECK-DAG: [Analysis] OneRank | Category:mem-peak | Function=outside | Condition=false, LiveBytes=64, LowerBound=192, {{.*}}Saved=128
func.func @outside(%x: memref<16xf32>, %y: memref<32xf32>) {
  %zero = arith.constant 0 : i32
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %first = arith.cmpi eq, %rank, %zero : i32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<32xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.if %first {
    linalg.exp ins(%y : memref<32xf32>) outs(%b : memref<32xf32>)
    linalg.exp ins(%b : memref<32xf32>) outs(%y : memref<32xf32>)
  }
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// Other conditions are the same on all ranks.
func.func @argument(%x: memref<16xf32>, %p: i1) {
  scf.if %p {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  }
  return
}
