module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"near", capacity = 640>,
  #mem.level<"far", read = (latency = 60, bandwidth = 16.0), write = (latency = 60, bandwidth = 16.0)>,
  engines = [#mem.engine<"dma", "near" to "far", "far" to "near">]>} {}
