// Three tensors, with room for two in the fast level: the tensor that is not used in the
// middle of its live range is evicted. A tensor that is read once is not copied at all.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=farthest-next-use},mem-verify-plan)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=exact},mem-verify-plan)' -o /dev/null
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=local-search segment=2},mem-verify-plan)' -o /dev/null
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{strategy=initial},mem-verify-plan)' \
// RUN:   | FileCheck %s --check-prefix=INITIAL
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-assign-levels{capacity=384},mem-verify-plan)' | FileCheck %s --check-prefix=ALL

module attributes {mem.hierarchy = #mem.hierarchy<
    #mem.level<"fast", capacity = 1024, read = (latency = 1, bandwidth = 64.0), write = (latency = 1, bandwidth = 64.0)>,
    #mem.level<"slow", read = (latency = 20, bandwidth = 4.0), write = (latency = 20, bandwidth = 4.0)>>} {
  // The `capacity` option can shrink the fast level. The module's hierarchy then records the new capacity.
  // ALL: #mem.level<"fast", capacity = 384
  // CHECK-LABEL: func.func @main(
  // CHECK-SAME: %[[X:.*]]: memref<32xf32> {mem.name = "arg0", mem.noalias}
  // INITIAL-LABEL: func.func @main(
  // ALL-LABEL: func.func @main(
  func.func @main(%x: memref<32xf32> {mem.noalias}, %y: memref<32xf32> {mem.noalias}) {
    // CHECK-DAG: %[[FAST:.*]] = mem.arena "fast", 1024 {{.*}}strategy = "farthest-next-use"
    // CHECK-DAG: %[[SLOW:.*]] = mem.arena "slow", 512
    // INITIAL-DAG: mem.arena "fast", 1024
    // INITIAL-DAG: mem.arena "slow", 512
    // INITIAL-NOT: mem.swap
    // ALL-NOT: mem.load
    %a = mem.buffer {name = "a"} : !mem.buffer<512>
    %va = mem.descriptor %a[0, 512] : !mem.buffer<512> -> memref<128xf32>
    %b = mem.buffer {name = "b"} : !mem.buffer<512>
    %vb = mem.descriptor %b[0, 512] : !mem.buffer<512> -> memref<128xf32>
    %c = mem.buffer {name = "c"} : !mem.buffer<512>
    %vc = mem.descriptor %c[0, 512] : !mem.buffer<512> -> memref<128xf32>
    // CHECK: %[[A:.*]] = mem.view %[[FAST]][{{.*}}] {{.*}}name = "a"
    // CHECK: %[[VA:.*]] = mem.descriptor %[[A]][0, 512]
    // CHECK: mem.kernel "k0" {{.*}} defines(%[[VA]] :
    mem.kernel "k0" uses(%x : memref<32xf32>) defines(%va : memref<128xf32>)
    mem.kernel "k1" uses(%va : memref<128xf32>) defines(%vb : memref<128xf32>)
    // CHECK: mem.kernel "k1"
    // CHECK: %[[SOURCE:.*]] = mem.descriptor %[[A]][0, 512] : !mem.buffer<512> -> memref<512xi8>
    // CHECK: %[[BELOW:.*]] = mem.view %[[SLOW]][0] {{.*}}name = "a"
    // CHECK: %[[TARGET:.*]] = mem.descriptor %[[BELOW]][0, 512] : !mem.buffer<512> -> memref<512xi8>
    // CHECK: mem.swap %[[SOURCE]] to %[[TARGET]]
    mem.kernel "k2" uses(%vb : memref<128xf32>) defines(%vc : memref<128xf32>)
    // CHECK: mem.kernel "k2"
    mem.kernel "k3" uses(%vc, %vb : memref<128xf32>, memref<128xf32>) defines(%y : memref<32xf32>)
    mem.kernel "k4" uses(%vc, %vb : memref<128xf32>, memref<128xf32>) may_defines(%y : memref<32xf32>)
    // The evicted tensor is loaded back into the bytes of a dead tensor.
    // CHECK: mem.load
    // CHECK: %[[BACK:.*]] = mem.descriptor %{{.*}}[0, 512] : !mem.buffer<512> -> memref<128xf32>
    // CHECK: mem.kernel "k5" uses(%[[BACK]] :
    mem.kernel "k5" uses(%va : memref<128xf32>) may_defines(%y : memref<32xf32>)
    return
  }
}
