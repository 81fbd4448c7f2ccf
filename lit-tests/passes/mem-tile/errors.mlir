// Options that contradict each other, or that do not exist.
//
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=time})' 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=capacity})' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=smallest})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-default-pipeline{tile=fit})' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mem-opt %s --pass-pipeline='builtin.module(mem-tile{target=capacity hierarchy=none})' 2>&1 | FileCheck %s --check-prefix=HIERARCHY

// MISSING: error: mem-tile: target=capacity requires option 'capacity', or a hierarchy whose fastest level has a capacity
// LEVELS: error: mem-tile: target=time requires option 'hierarchy'
// UNKNOWN: error: mem-tile: unknown value 'smallest' for option 'target': expected peak, capacity or time
// HIERARCHY: error: no hierarchy 'none'

func.func @main() {
  return
}
