// NVIDIA Tesla V100 with 16 GB, and its host behind PCIe 3.0 x16, in cycles of 1.53 GHz.
//
// hbm:  16 GiB, 900 GB/s (Tesla V100 whitepaper WP-08608-001): 588 bytes a cycle; some 400 cycles until the first
//       (Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018).
// host: 15.75 GB/s a direction less protocol, some 12 GB/s: 7.8 bytes a cycle; starting a copy takes some 10 us.
// space: that of the gpu dialect for the device; a pointer without one may point into any memory.
// compute: 15.7 TFLOP/s in single precision, 10260 operations a cycle.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"hbm", capacity = 17179869184, alignment = 256,
             read = (latency = 400, bandwidth = 588.0), write = (latency = 400, bandwidth = 588.0),
             space = #gpu.address_space<global>>,
  #mem.level<"host", alignment = 256,
             read = (latency = 15000, bandwidth = 7.8), write = (latency = 15000, bandwidth = 7.8)>,
  engines = [#mem.engine<"host-to-device", "host" to "hbm">, #mem.engine<"device-to-host", "hbm" to "host">],
  compute = 10260.0, generic = 0>} {}
