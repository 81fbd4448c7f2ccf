// A device of 4000 bytes with a slow link to its host: one byte takes four cycles.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"device", capacity = 4000, read = (latency = 0, bandwidth = 64.0), write = (latency = 0, bandwidth = 64.0)>,
  #mem.level<"host", read = (latency = 10, bandwidth = 0.25), write = (latency = 10, bandwidth = 0.25)>,
  engines = [#mem.engine<"in", "host" to "device">, #mem.engine<"out", "device" to "host">],
  compute = 64.0>} {}
