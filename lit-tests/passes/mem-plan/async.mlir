// Buffers that an asynchronous operation accesses stay live until a wait: no buffer that is live in
// between shares their addresses. After the wait, the addresses are free.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan,convert-mem-to-memref)' | FileCheck %s --check-prefix=MEMREF

// MEMREF-NOT: mem.

// In program order "a" is dead when "c" is written, but the copy may still be reading
// it. "d" is defined after the wait.
// CHECK-LABEL: func.func @until_the_wait
func.func @until_the_wait(%out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 192 
  // CHECK: mem.view %arena[0] {{.*}}"a"
  // CHECK: mem.view %arena[64] {{.*}}"b"
  // CHECK: mem.view %arena[128] {{.*}}"c"
  // "d" is computed in place of "b", so it needs no bytes of its own.
  // CHECK: mem.view %arena[64] {{.*}}"d"
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %c = mem.buffer {name = "c"} : !mem.buffer<64>
  %d = mem.buffer {name = "d"} : !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vd = mem.descriptor %d[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%out : memref<16xf32>) outs(%va : memref<16xf32>)
  %t = async.execute {
    memref.copy %va, %vb : memref<16xf32> to memref<16xf32>
    async.yield
  }
  linalg.exp ins(%out : memref<16xf32>) outs(%vc : memref<16xf32>)
  async.await %t : !async.token
  linalg.add ins(%vb, %vc : memref<16xf32>, memref<16xf32>) outs(%vd : memref<16xf32>)
  memref.copy %vd, %out : memref<16xf32> to memref<16xf32>
  return
}

// The copy reads "a" until the wait, although nothing has written it.
// CHECK-LABEL: func.func @undefined
func.func @undefined(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 192 
  // CHECK: mem.view %arena[0] {{.*}}"a"
  // CHECK: mem.view %arena[64] {{.*}}"b"
  // CHECK: mem.view %arena[128] {{.*}}"c"
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %c = mem.buffer {name = "c"} : !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %t = mem.store async %va to %vb : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%vc : memref<16xf32>)
  linalg.add ins(%vc, %in : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  mem.wait %t
  return
}

// As above without asynchrony: "c" reuses the address of "a".
// CHECK-LABEL: func.func @synchronous
func.func @synchronous(%out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 128 
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %c = mem.buffer {name = "c"} : !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%out : memref<16xf32>) outs(%va : memref<16xf32>)
  memref.copy %va, %vb : memref<16xf32> to memref<16xf32>
  linalg.exp ins(%out : memref<16xf32>) outs(%vc : memref<16xf32>)
  linalg.add ins(%vb, %vc : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// Two asynchronous operations, each with a local buffer. The second depends on the first, so waiting
// for the second alone waits for both.
// CHECK-LABEL: func.func @dependent
func.func @dependent(%out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 192 
  // CHECK: mem.view %arena[0] {{.*}}"in_first"
  %first = async.execute {
    %x = mem.buffer {name = "in_first"} : !mem.buffer<64>
    %v = mem.descriptor %x[0, 64] : !mem.buffer<64> -> memref<16xf32>
    linalg.exp ins(%out : memref<16xf32>) outs(%v : memref<16xf32>)
    memref.copy %v, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // CHECK: mem.view %arena[64] {{.*}}"in_second"
  %second = async.execute [%first] {
    %x = mem.buffer {name = "in_second"} : !mem.buffer<64>
    %v = mem.descriptor %x[0, 64] : !mem.buffer<64> -> memref<16xf32>
    linalg.exp ins(%out : memref<16xf32>) outs(%v : memref<16xf32>)
    memref.copy %v, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // CHECK: mem.view %arena[128] {{.*}}"meanwhile"
  %c = mem.buffer {name = "meanwhile"} : !mem.buffer<64>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%out : memref<16xf32>) outs(%vc : memref<16xf32>)
  async.await %second : !async.token
  memref.copy %vc, %out : memref<16xf32> to memref<16xf32>
  return
}

// A group is complete when all its members are.
// CHECK-LABEL: func.func @group
func.func @group(%out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 128 
  %c1 = arith.constant 1 : index
  %group = async.create_group %c1 : !async.group
  %t = async.execute {
    %x = mem.buffer {name = "inside"} : !mem.buffer<64>
    %v = mem.descriptor %x[0, 64] : !mem.buffer<64> -> memref<16xf32>
    linalg.exp ins(%out : memref<16xf32>) outs(%v : memref<16xf32>)
    memref.copy %v, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  %i = async.add_to_group %t, %group : !async.token
  %c = mem.buffer {name = "meanwhile"} : !mem.buffer<64>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  linalg.exp ins(%out : memref<16xf32>) outs(%vc : memref<16xf32>)
  async.await_all %group
  memref.copy %vc, %out : memref<16xf32> to memref<16xf32>
  return
}

// An asynchronous operation in a loop that is waited for in the same iteration.
// CHECK-LABEL: func.func @rounds
func.func @rounds(%n: index, %out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 128 
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = mem.buffer {name = "a"} : !mem.buffer<64>
    %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
    linalg.exp ins(%out : memref<16xf32>) outs(%va : memref<16xf32>)
    %t, %v = async.execute -> !async.value<f32> {
      %x = memref.load %va[%c0] : memref<16xf32>
      async.yield %x : f32
    }
    %b = mem.buffer {name = "b"} : !mem.buffer<64>
    %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
    linalg.exp ins(%out : memref<16xf32>) outs(%vb : memref<16xf32>)
    %x = async.await %v : !async.value<f32>
    linalg.fill ins(%x : f32) outs(%out : memref<16xf32>)
    memref.copy %vb, %out : memref<16xf32> to memref<16xf32>
  }
  return
}

// Transfers of the `mem` and `gpu` dialects.
// CHECK-LABEL: func.func @transfers
func.func @transfers(%in: memref<16xf32>, %out: memref<16xf32>) {
  // CHECK: mem.arena "arena", 192 
  %a = mem.buffer {name = "a"} : !mem.buffer<64>
  %b = mem.buffer {name = "b"} : !mem.buffer<64>
  %c = mem.buffer {name = "c"} : !mem.buffer<64>
  %d = mem.buffer {name = "d"} : !mem.buffer<64>
  %va = mem.descriptor %a[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vb = mem.descriptor %b[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vc = mem.descriptor %c[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %vd = mem.descriptor %d[0, 64] : !mem.buffer<64> -> memref<16xf32>
  %t = mem.load async %in to %va : memref<16xf32> to memref<16xf32>
  %u = gpu.memcpy async %vb, %in : memref<16xf32>, memref<16xf32>
  linalg.exp ins(%out : memref<16xf32>) outs(%vc : memref<16xf32>)
  linalg.exp ins(%vc : memref<16xf32>) outs(%vd : memref<16xf32>)
  mem.wait %t
  gpu.wait [%u]
  linalg.add ins(%va, %vd : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  linalg.add ins(%vb, %vd : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
