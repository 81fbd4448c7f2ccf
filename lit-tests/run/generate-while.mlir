// A language model that generates tokens until a stop condition: one iteration with one seed, three
// with another. Without deallocations, every iteration allocates 133 more buffers.

// RUN: mem-run %models/bufferized/mini_gpt_generate_while_c128_b1.mlir --compare -O0 | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: mem-run %models/bufferized/mini_gpt_generate_while_c128_b1.mlir --compare -O0 --seed 2 | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: mem-run %models/bufferized_cf/mini_gpt_generate_while_c128_b1.mlir --compare -O0 --seed 2 | FileCheck %s --check-prefixes=CHECK,MANY

// ONE: original {{.*}} 278{{$}}
// MANY: original {{.*}} 810{{$}}
// CHECK: planned {{.*}} 1{{$}}
// CHECK: equal: 72 values
