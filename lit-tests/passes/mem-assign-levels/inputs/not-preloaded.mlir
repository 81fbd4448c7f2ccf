module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"fast", capacity = 128, read = (latency = 0, bandwidth = 64.0), write = (latency = 0, bandwidth = 64.0)>,
  #mem.level<"slow", read = (latency = 10, bandwidth = 1.0), write = (latency = 10, bandwidth = 1.0)>>} {}
