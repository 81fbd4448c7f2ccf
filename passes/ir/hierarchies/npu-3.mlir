// Gemmini with its default configuration (H. Genc et al., "Gemmini: Enabling Systematic Deep-Learning Architecture
// Evaluation via Full-Stack Integration", DAC 2021): a systolic array of 16 x 16 at 1 GHz.
//
// local:  256 KiB of scratchpad, rows of 16 bytes, one a cycle.
// shared: 512 KiB of the L2 cache's data, behind a bus of 128 bits; some 40 cycles until the first byte.
// dram:   one channel of DDR3-2000, 16 GB/s; some 150 cycles behind the L2.
// space:  3 and 2 for the scratchpads, as Gemmini tells them apart in the upper bits of local addresses; DRAM is the
//         default address space.
// compute: 256 multiply-accumulates a cycle, 512 operations.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"local", capacity = 262144, alignment = 16,
             read = (latency = 1, bandwidth = 16.0), write = (latency = 1, bandwidth = 16.0), space = 3>,
  #mem.level<"shared", capacity = 524288, alignment = 64,
             read = (latency = 40, bandwidth = 16.0), write = (latency = 40, bandwidth = 16.0), space = 2>,
  #mem.level<"dram", alignment = 64,
             read = (latency = 190, bandwidth = 8.0), write = (latency = 190, bandwidth = 8.0)>,
  engines = [#mem.engine<"load", "dram" to "local", "shared" to "local">,
             #mem.engine<"store", "local" to "dram", "local" to "shared">,
             #mem.engine<"outer", "dram" to "shared", "shared" to "dram">],
  compute = 512.0>} {}
