// A layer of self-attention of the size of BERT, with a batch of 8 and a sequence of 384, in a quarter of
// its peak of 84,934,656 bytes: heads run one after the other, from the projections to the context, and
// the scores never exist as a whole. Results are the same bits.
//
// DEFINE: %{options} =
// DEFINE: %{plan} = mem-opt --pass-pipeline='builtin.module(mem-default-pipeline{%{options}})' -o /dev/null

// RUN: python3 %S/Inputs/attention.py 8 384 12 64 --apart > %t.mlir
// REDEFINE: %{options} = capacity=84934656
// RUN: %{plan} %t.mlir
// REDEFINE: %{options} = capacity=84934655
// RUN: not %{plan} %t.mlir 2>&1 | FileCheck %s --check-prefix=MORE
// REDEFINE: %{options} = capacity=21233664 tile=peak
// RUN: %{plan} %t.mlir
// MORE: error: {{.*}}84934655

// One sequence, in matrices of all its rows and in batches of all heads.
// RUN: python3 %S/Inputs/attention.py 1 384 12 64 > %t.mlir
// REDEFINE: %{options} = capacity=10616831
// RUN: not %{plan} %t.mlir
// REDEFINE: %{options} = capacity=2654208 tile=peak
// RUN: %{plan} %t.mlir

// RUN: python3 %S/Inputs/attention.py 4 12 3 4 --apart > %t.mlir
// RUN: mem-run --compare -O0 --pipeline-options 'tile=peak' %t.mlir | FileCheck %s
// RUN: mem-opt --pass-pipeline='builtin.module(mem-default-pipeline{tile=peak})' %t.mlir | grep -q scf.for
// RUN: python3 %S/Inputs/attention.py 1 12 3 4 > %t.mlir
// RUN: mem-run --compare -O0 --pipeline-options 'tile=peak' %t.mlir | FileCheck %s
// RUN: mem-opt --pass-pipeline='builtin.module(mem-default-pipeline{tile=peak})' %t.mlir | grep -q scf.for
// RUN: python3 %S/Inputs/attention.py 4 12 3 4 > %t.mlir
// RUN: mem-run --compare -O0 --pipeline-options 'tile=peak' %t.mlir | FileCheck %s
// CHECK: equal: {{[0-9]+}} values
