// Random programs compute the same when planned: unmodified, with branches between blocks instead of
// structured control flow, and with deallocations. A failure reports the seed; to print its program:
// scripts/random-program.py SEED --size 40.

// DEFINE: %{seed} =
// DEFINE: %{program} = python3 %S/../../scripts/random-program.py %{seed} --size 40
// DEFINE: %{run} = mem-run - --compare -O0 --seed %{seed} | FileCheck %s
// DEFINE: %{flat} = mem-opt --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf,canonicalize)'
// DEFINE: %{freed} = mem-opt --pass-pipeline='builtin.module(buffer-deallocation-pipeline,convert-bufferization-to-memref,canonicalize,cse)'

// REDEFINE: %{seed} = 1
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 2
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 3
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 4
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 5
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 6
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 7
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 8
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 9
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 10
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 11
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// REDEFINE: %{seed} = 12
// RUN: %{program} | %{run}
// RUN: %{program} | %{flat} | %{run}
// RUN: %{program} | %{freed} | %{run}

// Of two identical writes, only one can be removed.

// REDEFINE: %{seed} = 2034
// RUN: %{program} | %{run}

// Scalar loads and stores through arguments that may alias.
// DEFINE: %{scalars} = python3 %S/../../scripts/against-upstream.py --size 30 --print
// RUN: %{scalars} 1 | mem-run - --compare -O0 --seed 1 | FileCheck %s --check-prefix=SCALARS
// RUN: %{scalars} 2 | mem-run - --compare -O0 --seed 2 | FileCheck %s --check-prefix=SCALARS
// RUN: %{scalars} 3 | mem-run - --compare -O0 --seed 3 | FileCheck %s --check-prefix=SCALARS
// RUN: %{scalars} 50055 | mem-run - --compare -O0 --seed 1 | FileCheck %s --check-prefix=SCALARS
// SCALARS-NOT: fault
// SCALARS: equal: 3 values

// CHECK-NOT: fault
// CHECK: equal: 6 values
