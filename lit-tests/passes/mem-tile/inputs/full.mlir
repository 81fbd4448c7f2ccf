// Both levels are bounded: the slow one has little room beside 8448 bytes of arguments.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"sram", capacity = 4096, alignment = 4,
             read = (latency = 1, bandwidth = 16.0), write = (latency = 1, bandwidth = 16.0)>,
  #mem.level<"dram", capacity = 8512, alignment = 4,
             read = (latency = 50, bandwidth = 4.0), write = (latency = 50, bandwidth = 4.0)>,
  engines = [#mem.engine<"dma", "dram" to "sram", "sram" to "dram">],
  compute = 64.0>} {}
