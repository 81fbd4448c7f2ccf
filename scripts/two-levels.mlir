// A small accelerator for experiments: a fast memory of any size in front of DRAM.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"sram", alignment = 64, read = (latency = 32, bandwidth = 64.0), write = (latency = 32, bandwidth = 64.0),
             space = 1>,
  #mem.level<"dram", alignment = 64, read = (latency = 500, bandwidth = 4.0), write = (latency = 250, bandwidth = 4.0)>,
  engines = [#mem.engine<"in", "dram" to "sram">, #mem.engine<"out", "sram" to "dram">]>} {}
