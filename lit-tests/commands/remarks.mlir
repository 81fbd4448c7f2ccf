// Remarks in MLIR's remark engine, by category: why a buffer is not planned, why a result is not in place of an
// operand, why a tensor is not in a faster level, and what sets the peak. Filters select categories, and files have
// the formats of LLVM's tools. Without a filter, there are only the diagnostics that there always were.
//
// RUN: split-file %s %t
// RUN: mem-opt %t/arena.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' --remarks-filter='mem-.*' -o /dev/null 2>&1 | FileCheck %s
// RUN: mem-opt %t/arena.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' --remarks-filter-missed='mem-not-planned' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: mem-opt %t/arena.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: mem-opt %t/arena.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' --remarks-filter='mem-.*' --remark-format=yaml --remarks-output-file=%t/remarks.yaml -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t/remarks.yaml
// RUN: mem-opt %t/arena.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' --remarks-filter='mem-.*' --remark-format=bitstream --remarks-output-file=%t/remarks.bitstream -o /dev/null
// RUN: llvm-remarkutil bitstream2yaml %t/remarks.bitstream -o - | FileCheck %s --check-prefix=YAML
// RUN: mem-opt %t/chain.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-assign-levels{hierarchy=npu capacity=512 noalias-arguments=true})' --remarks-filter='mem-evicted|mem-peak' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: mem-opt %t/budget.mlir --pass-pipeline='builtin.module(convert-memref-to-mem,mem-offload{hierarchy=gpu budget=512})' --remarks-filter='mem-evicted' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUDGET

// NONE-NOT: Category
// NONE: remark: allocation is not planned: its address is returned
// NONE-NOT: Category

// ONE-NOT: mem-peak
// ONE: [Missed] Escapes | Category:mem-not-planned
// ONE-NOT: mem-peak

// The remark of one function does not appear in another one.
// CHECK: [Missed] Escapes | Category:mem-not-planned | Function=kept | {{.*}}Reason="its address is returned"

// A transposition reads elements after it has written others.
// CHECK: [Missed] OrderOfBytes | Category:mem-not-in-place | Function=transposed | Bytes=64, Operand=buf0, Reason="the operation may read bytes of the operand after it has written those of the result", Result=buf1

// At the addition, three buffers would be live; the result takes over one of them.
// CHECK: [Analysis] FullestStep | Category:mem-peak | Function=chain | LiveBytes=512, LowerBound=512, Peak=512
// CHECK: [Analysis] LiveAtPeak | Category:mem-peak | Function=chain | Buffer=buf0, Bytes=256
// CHECK: [Analysis] LiveAtPeak | Category:mem-peak | Function=chain | Buffer=buf1, Bytes=256
// CHECK: [Missed] OperandNeeded | Category:mem-not-in-place | Function=chain | Bytes=256, Operand=buf0, Reason="the operand is read again later", Result=buf1

// YAML: --- !Missed
// YAML: Pass: {{ *}}mem-not-planned
// YAML: Name: {{ *}}Escapes
// YAML: DebugLoc: {{.*}}arena.mlir
// YAML: Function: {{ *}}kept
// YAML: - By: {{ *}}func.return
// YAML: --- !Analysis
// YAML: Pass: {{ *}}mem-peak

// LEVELS: [Analysis] FullestStep | Category:mem-peak | Function=chain | {{.*}}Level=sram
// LEVELS: Category:mem-evicted | Function=chain | {{.*}}Tensor=

// BUDGET: [Missed] {{Swapped|Recomputed}} | Category:mem-evicted | Function=widest | Bytes=256, {{.*}}Tensor=buf0

//--- arena.mlir

func.func @chain(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%in : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

func.func @transposed(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  linalg.exp ins(%b : memref<4x4xf32>) outs(%out : memref<4x4xf32>)
  return
}

func.func @kept() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

//--- chain.mlir

func.func @chain(%in: memref<64xf32>, %out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%in : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

//--- budget.mlir

func.func @widest(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.log ins(%in : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %c = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%out : memref<8x8xf32>)
  return
}
