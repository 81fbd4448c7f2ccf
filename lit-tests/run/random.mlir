// Random programs, planned, compute the same: as they are, with branches between blocks instead of
// structured control flow, and with deallocations. A failure names the seed; to look at its program:
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

// CHECK-NOT: fault
// CHECK: equal: 6 values
