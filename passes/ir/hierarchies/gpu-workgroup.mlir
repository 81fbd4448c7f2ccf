// One streaming multiprocessor of the GPU in gpu.mlir, an NVIDIA Tesla V100, in cycles of 1.53 GHz: a program of one
// workgroup.
//
// workgroup: 96 KiB of shared memory, 32 banks of 4 bytes a cycle; some 19 cycles until the first byte (Z. Jia et al.,
//            "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018).
// hbm:       one of 80 shares of the bandwidth in gpu.mlir. Threads copy: Volta has no engine for it.
// compute:   64 fused multiply-adds in single precision a cycle, 128 operations.
// space:     those of the gpu dialect; a pointer without one may point into any memory.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"workgroup", capacity = 98304, alignment = 16,
             read = (latency = 19, bandwidth = 128.0), write = (latency = 19, bandwidth = 128.0),
             space = #gpu.address_space<workgroup>>,
  #mem.level<"hbm", alignment = 256,
             read = (latency = 400, bandwidth = 7.35), write = (latency = 400, bandwidth = 7.35),
             space = #gpu.address_space<global>>,
  compute = 128.0, generic = 0>} {}
