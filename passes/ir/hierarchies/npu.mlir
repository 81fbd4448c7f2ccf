// Arm Ethos-U65 with 512 multiply-accumulates a cycle at 1 GHz, a dedicated SRAM of 384 KiB, and LPDDR4.
//
// Figures as in the configuration of Arm's compiler Vela (vela.ini, Ethos_U65_High_End and Dedicated_Sram): latencies of
// 32 cycles for the SRAM, 500 for reading and 250 for writing DRAM, which has 0.234375 of the 16 bytes a cycle of the SRAM.
// space:   1 for the SRAM; arguments and constants are in DRAM, the default address space.
// compute: 512 multiply-accumulates a cycle, 1024 operations.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"sram", capacity = 393216, alignment = 16,
             read = (latency = 32, bandwidth = 16.0), write = (latency = 32, bandwidth = 16.0), space = 1>,
  #mem.level<"dram", alignment = 16,
             read = (latency = 500, bandwidth = 3.75), write = (latency = 250, bandwidth = 3.75)>,
  engines = [#mem.engine<"dma", "dram" to "sram", "sram" to "dram">],
  compute = 1024.0>} {}
