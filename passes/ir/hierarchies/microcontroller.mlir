// STM32H7B3 at 280 MHz on its discovery kit, in cycles of its core.
//
// tcm:   128 KiB of DTCM, 64 bits wide, no wait states (RM0455, 2.4).
// sram:  1 MiB of AXI SRAM behind a 64-bit bus at the speed of the core; some 6 cycles until the first byte.
// flash: 64 MiB of octal NOR flash, MX25LM51245G, 8 bits at both edges of 100 MHz: 200 MB/s, 0.71 bytes a cycle; command,
//        address and 20 dummy cycles come first. Programming a page of 256 bytes takes 0.15 ms, 42000 cycles, so that
//        nothing but constants belongs there (UM2569; data sheet of the MX25LM51245G).
// space: 1 and 2, which a linker script maps to sections; flash is the default, and pointers into all of it are generic.
// compute: two 16-bit multiply-accumulates a cycle (Cortex-M7, SMLAD), 4 operations.
module attributes {mem.hierarchy = #mem.hierarchy<
  #mem.level<"tcm", capacity = 131072, alignment = 8,
             read = (latency = 1, bandwidth = 8.0), write = (latency = 1, bandwidth = 8.0), space = 1>,
  #mem.level<"sram", capacity = 1048576, alignment = 8,
             read = (latency = 6, bandwidth = 8.0), write = (latency = 6, bandwidth = 8.0), space = 2>,
  #mem.level<"flash", capacity = 67108864, alignment = 32,
             read = (latency = 80, bandwidth = 0.71), write = (latency = 42000, bandwidth = 0.0061)>,
  engines = [#mem.engine<"mdma", "flash" to "sram", "flash" to "tcm", "sram" to "tcm", "tcm" to "sram",
                                 "sram" to "flash", "tcm" to "flash">],
  compute = 4.0, generic = 0>} {}
