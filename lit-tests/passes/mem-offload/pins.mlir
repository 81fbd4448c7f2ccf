// Pins override the cost model: tensors that stay on the device, leave it, or are not recomputed.
//
// RUN: mem-opt %S/recompute.mlir --pass-pipeline='builtin.module(convert-memref-to-mem)' -o %t.mlir
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048 keep=buf0 explain=2},mem-verify-plan{original=%t.mlir})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KEEP --implicit-check-not=mem.recompute
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=4096 leave=buf0,buf1 explain=2},mem-verify-plan{original=%t.mlir})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAVE --implicit-check-not=mem.recompute
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048 stay=buf0})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STAY
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048 stay=buf7})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=4096 stay=buf0,buf1 leave=buf1})' -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: not ls %t.out
//
// The JSON report contains the decisions as well.
// RUN: mem-opt %t.mlir --pass-pipeline='builtin.module(mem-offload{hierarchy=%S/inputs/device.mlir budget=2048 report=%t.json})' -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
//
// KEEP: remark: 'buf0' (1.0 KiB) is on the host from step 2 to step 4, {{.*}}; recomputing it would take 144
// LEAVE: remark: 'buf0' (1.0 KiB) is on the host from step 2 to step 4
// LEAVE: mem.arena "host", 1024
// STAY: error: no plan within a budget of 2048 bytes: the widest step needs 3072; budget=3072 is the smallest that runs
// STAY-DAG: note: 'buf0' holds 1024 bytes
// STAY-DAG: note: 'buf1' holds 1024 bytes
// STAY-DAG: note: 'buf2' holds 1024 bytes
// UNKNOWN: error: mem-offload: there is no tensor 'buf7' to pin
// BOTH: error: mem-offload: 'buf1' is to stay, and to leave
// JSON: "decisions": [
// JSON: "after": 2,
// JSON: "before": 6,
// JSON: "free": -8244,
// JSON: "recompute": 144,
// JSON: "swap_in": 4122,
// JSON: "swap_out": 4122,
// JSON: "tensor": "buf0",
// JSON: "trigger": null,
// JSON: "way": "recompute"
