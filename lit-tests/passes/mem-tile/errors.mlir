// Options that contradict each other, or that do not exist.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time})' 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=capacity})' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=budget})' 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=smallest})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit})' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=capacity hierarchy=none})' 2>&1 | FileCheck %s --check-prefix=HIERARCHY

// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{overlap=forget})' 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{tile=peak extra-work=-1})' 2>&1 | FileCheck %s --check-prefix=WORK

// OVERLAP: error: mem-tile: unknown value 'forget' for option 'overlap': expected keep, recompute or auto
// WORK: error: mem-default-pipeline: invalid value '-1' for option 'extra-work': expected a number from 0 to 4294967295
// MISSING: error: mem-tile: target=capacity requires option 'capacity', or a hierarchy whose fastest level has a capacity
// BUDGET: error: mem-tile: target=budget requires option 'budget'
// LEVELS: error: mem-tile: target=time requires option 'hierarchy'
// UNKNOWN: error: mem-tile: unknown value 'smallest' for option 'target': expected peak, capacity, budget or time
// HIERARCHY: error: no hierarchy 'none'

func.func @main() {
  return
}
