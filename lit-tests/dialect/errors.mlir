// One case for each condition that the verifiers reject, and for each syntax error
// that the dialect itself reports.
//
// RUN: mem-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{size of a buffer must not be negative, got -1}}
func.func private @buffer_of_negative_size(!mem.buffer<-1>)

// -----

// expected-error @+1 {{size of a buffer must not be negative, got -9223372036854775808}}
func.func private @buffer_of_least_size(!mem.buffer<-9223372036854775808>)

// -----

// expected-error @+1 {{integer value too large}}
func.func private @buffer_of_more_than_63_bits(!mem.buffer<9223372036854775808>)

// -----

// expected-error @+1 {{a memory space must name a level}}
func.func private @space_without_name(memref<4xf32, #mem.space<"">>)

// -----

// expected-error @+1 {{a level must have a name}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"">>} {}

// -----

// expected-error @+1 {{capacity of level 'sram' must be positive, got 0}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 0>>} {}

// -----

// expected-error @+1 {{alignment of level 'sram' must be a power of two of at most 1048576 bytes, got 48}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", alignment = 48>>} {}

// -----

// expected-error @+1 {{alignment of level 'sram' must be a power of two of at most 1048576 bytes, got 2097152}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", alignment = 2097152>>} {}

// -----

// expected-error @+1 {{alignment of level 'sram' must be a power of two of at most 1048576 bytes, got 0}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", alignment = 0>>} {}

// -----

// expected-error @+1 {{latency must not be negative, got -1}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", read = (latency = -1, bandwidth = 1.0)>>} {}

// -----

// expected-error @+1 {{bandwidth must be positive and finite, got 0.0}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", read = (latency = 1, bandwidth = 0)>>} {}

// -----

// expected-error @+1 {{bandwidth must be positive and finite, got -2.5}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", write = (latency = 1, bandwidth = -2.5)>>} {}

// -----

// expected-error @+1 {{bandwidth must be positive and finite, got INF}}
module attributes {a = #mem.cost<latency = 1, bandwidth = 0x7FF0000000000000 : f64>} {}

// -----

// expected-error @+1 {{expected a number}}
module attributes {a = #mem.cost<latency = 1, bandwidth = "fast">} {}

// -----

// expected-error @+1 {{expected 'capacity', 'alignment', 'read', 'write' or 'space', each at most once, got 'size'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", size = 1>>} {}

// -----

// expected-error @+1 {{expected 'capacity', 'alignment', 'read', 'write' or 'space', each at most once, got 'capacity'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram", capacity = 1, capacity = 1>>} {}

// -----

// expected-error @+1 {{a hierarchy must have at least one level}}
module attributes {mem.hierarchy = #mem.hierarchy<>} {}

// -----

// expected-error @+1 {{a hierarchy must not have two levels named 'sram'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, #mem.level<"dram">, #mem.level<"sram">>} {}

// -----

// expected-error @+1 {{attribute 'mem.hierarchy' must be a #mem.hierarchy, got #mem.level<"sram">}}
module attributes {mem.hierarchy = #mem.level<"sram">} {}

// -----

// expected-error @+1 {{has attribute 'mem.hierarchy', which belongs on a module}}
func.func private @hierarchy_on_a_function() attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">>}

// -----

// expected-error @+1 {{has attribute 'mem.role', which belongs on a function argument}}
func.func private @role_on_a_function() attributes {mem.role = #mem.role<input>}

// -----

// expected-error @+1 {{has attribute 'mem.noalias', which belongs on a function argument}}
func.func private @noalias_on_a_result() -> (memref<4xf32> {mem.noalias})

// -----

// expected-error @+1 {{attribute 'mem.role' of argument #1 must be a #mem.role, got "input"}}
func.func private @role_as_string(memref<4xf32>, memref<4xf32> {mem.role = "input"})

// -----

// expected-error @+1 {{attribute 'mem.noalias' of argument #0 must be a unit attribute, got true}}
func.func private @noalias_with_value(memref<4xf32> {mem.noalias = true})

// -----

// expected-error @+1 {{attribute 'mem.arena' of argument #0 must be a dictionary with size and alignment, got {size = 4 : i64}}}
func.func private @arena_of_any_alignment(!mem.arena {mem.arena = {size = 4 : i64}})

// -----

// expected-error @+1 {{has attribute 'mem.arena', which belongs on a function argument}}
func.func private @arena_on_a_result() -> (!mem.arena {mem.arena = {size = 4 : i64, alignment = 4 : i64}})

// -----

// expected-error @+1 {{has unknown attribute 'mem.hierachy'; the mem dialect knows 'mem.hierarchy' on a module, 'mem.role', 'mem.noalias', 'mem.name' and 'mem.arena' on a function argument}}
module attributes {mem.hierachy = #mem.hierarchy<#mem.level<"sram">>} {}

// -----

// expected-error @+1 {{has unknown attribute 'mem.alias'}}
func.func private @unknown_on_an_argument(memref<4xf32> {mem.alias})

// -----

func.func @alignment_not_a_power_of_two() {
  // expected-error @+1 {{attribute 'alignment' failed to satisfy constraint: an alignment: a power of two of at most 1048576 bytes}}
  %a = mem.buffer {alignment = 48} : !mem.buffer<128>
  return
}

// -----

func.func @alignment_too_large() {
  // expected-error @+1 {{an alignment: a power of two of at most 1048576 bytes}}
  %a = mem.buffer {alignment = 2097152} : !mem.buffer<128>
  return
}

// -----

func.func @role_of_another_kind() {
  // expected-error @+1 {{attribute 'role' failed to satisfy constraint}}
  %a = mem.buffer {role = "input"} : !mem.buffer<128>
  return
}

// -----

func.func @one_bound(%a: !mem.buffer<128>) {
  // expected-error @+1 {{expects two bounds, an offset and a size, got 1}}
  %v = mem.descriptor %a[0] : !mem.buffer<128> -> memref<32xf32>
  return
}

// -----

func.func @missing_dynamic_bound(%a: !mem.buffer<128>) {
  // expected-error @+1 {{has 1 bounds that are not static, but 0 operands}}
  %v = mem.descriptor %a[0, -9223372036854775808] : !mem.buffer<128> -> memref<32xf32>
  return
}

// -----

func.func @negative_offset(%a: !mem.buffer<128>) {
  // expected-error @+1 {{offset must not be negative, got -4}}
  %v = mem.descriptor %a[-4, 4] : !mem.buffer<128> -> memref<f32>
  return
}

// -----

func.func @negative_size(%a: !mem.buffer<128>) {
  // expected-error @+1 {{size must not be negative, got -4}}
  %v = mem.descriptor %a[4, -4] : !mem.buffer<128> -> memref<?xf32>
  return
}

// -----

func.func @beyond_the_buffer(%a: !mem.buffer<128>) {
  // expected-error @+1 {{bytes [96, 160) are outside the 128 bytes of the buffer}}
  %v = mem.descriptor %a[96, 64] : !mem.buffer<128> -> memref<16xf32>
  return
}

// -----

func.func @offset_beyond_the_buffer(%a: !mem.buffer<128>, %n: index) {
  // expected-error @+1 {{bytes [132, 132) are outside the 128 bytes of the buffer}}
  %v = mem.descriptor %a[132, %n] : !mem.buffer<128> -> memref<?xf32>
  return
}

// -----

func.func @bounds_overflow(%a: !mem.buffer<128>) {
  // expected-error @+1 {{offset 9223372036854775807 plus size 1 overflows 64 bits}}
  %v = mem.descriptor %a[9223372036854775807, 1] : !mem.buffer<128> -> memref<1xi8>
  return
}

// -----

func.func @memref_too_large(%a: !mem.buffer<128>) {
  // expected-error @+1 {{'memref<32xf32>' spans 128 bytes, but the descriptor has only 64}}
  %v = mem.descriptor %a[0, 64] : !mem.buffer<128> -> memref<32xf32>
  return
}

// -----

func.func @strided_memref_too_large(%a: !mem.buffer<128>) {
  // ((4 - 1) * 8 + (5 - 1) * 1 + 1) * 4 bytes
  // expected-error @+1 {{'memref<4x5xf32, strided<[8, 1]>>' spans 116 bytes, but the descriptor has only 112}}
  %v = mem.descriptor %a[0, 112] : !mem.buffer<128> -> memref<4x5xf32, strided<[8, 1]>>
  return
}

// -----

// If the size is unknown, the memref must still end within the buffer.
func.func @memref_larger_than_the_rest(%a: !mem.buffer<128>, %n: index) {
  // expected-error @+1 {{'memref<32xf32>' spans 128 bytes, but the rest of the buffer has only 124}}
  %v = mem.descriptor %a[4, %n] : !mem.buffer<128> -> memref<32xf32>
  return
}

// -----

// The data layout determines the size of an index.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @index_of_4_bytes(%a: !mem.buffer<128>) {
    // expected-error @+1 {{'memref<33xindex>' spans 132 bytes, but the descriptor has only 128}}
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<33xindex>
    return
  }
}

// -----

func.func @bits_take_bytes(%a: !mem.buffer<128>) {
  // expected-error @+1 {{'memref<129xi1>' spans 129 bytes, but the descriptor has only 128}}
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<129xi1>
  return
}

// -----

func.func @vectors_are_padded(%a: !mem.buffer<128>) {
  // expected-error @+1 {{'memref<9xvector<3xf32>>' spans 144 bytes, but the descriptor has only 128}}
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<9xvector<3xf32>>
  return
}

// -----

func.func @elements_overflow(%a: !mem.buffer<128>) {
  // expected-error @+1 {{bytes of 'memref<4611686018427387904x4xi8>' overflow 64 bits}}
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<4611686018427387904x4xi8>
  return
}

// -----

func.func @identity_strides_overflow(%a: !mem.buffer<128>) {
  // expected-error @+1 {{bytes of 'memref<2x3074457345618258603x4xi8>' overflow 64 bits}}
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<2x3074457345618258603x4xi8>
  return
}

// -----

func.func @strides_overflow(%a: !mem.buffer<128>) {
  // expected-error @+1 {{overflow 64 bits}}
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<3xi8, strided<[9223372036854775807]>>
  return
}

// -----

func.func @negative_stride(%a: !mem.buffer<128>) {
  // expected-error @+1 {{stride -1 of 'memref<4xf32, strided<[-1], offset: 3>>' must not be negative}}
  %v = mem.descriptor %a[12, 16] : !mem.buffer<128> -> memref<4xf32, strided<[-1], offset: 3>>
  return
}

// -----

func.func @layout_not_strided(%a: !mem.buffer<128>) {
  // expected-error-re @+1 {{layout of 'memref<{{.*}}>' must be the identity or strided}}
  %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>
  return
}

// -----

func.func @layout_offset_before_the_buffer(%a: !mem.buffer<128>) {
  // expected-error @+1 {{layout offset 8 of 'memref<4xf32, strided<[1], offset: 8>>' would start the memref 8 * 4 bytes before byte 16, outside its buffer}}
  %v = mem.descriptor %a[16, 16] : !mem.buffer<128> -> memref<4xf32, strided<[1], offset: 8>>
  return
}

// -----

func.func @negative_layout_offset(%a: !mem.buffer<128>) {
  // expected-error @+1 {{layout offset -1 of 'memref<4xf32, strided<[1], offset: -1>>' must not be negative}}
  %v = mem.descriptor %a[16, 16] : !mem.buffer<128> -> memref<4xf32, strided<[1], offset: -1>>
  return
}

// -----

func.func @in_place_out_of_range(%v: memref<32xf32>) {
  // expected-error @+1 {{in_place index 1 is not that of one of the 1 uses}}
  mem.kernel "relu" uses(%v : memref<32xf32>) in_place [1]
  return
}

// -----

func.func @in_place_negative(%v: memref<32xf32>) {
  // expected-error @+1 {{in_place index -1 is not that of one of the 1 uses}}
  mem.kernel "relu" uses(%v : memref<32xf32>) in_place [-1]
  return
}

// -----

func.func @in_place_twice(%v: memref<32xf32>) {
  // expected-error @+1 {{in_place index 0 is given twice}}
  mem.kernel "relu" uses(%v : memref<32xf32>) in_place [0, 0]
  return
}

// -----

func.func @negative_cycles() {
  // expected-error @+1 {{attribute 'cycles' failed to satisfy constraint: a number of cycles that is not negative}}
  mem.kernel "relu" {cycles = -1}
  return
}

// -----

func.func @negative_core() {
  // expected-error @+1 {{attribute 'core' failed to satisfy constraint: the number of a core, counted from 0}}
  mem.kernel "relu" {core = -1}
  return
}

// -----

func.func @declared_disjoint(%a: !mem.buffer<128>, %b: !mem.buffer<128>) {
  %v = mem.descriptor %a[0, 64] : !mem.buffer<128> -> memref<16xf32>
  %w = mem.descriptor %a[64, 64] : !mem.buffer<128> -> memref<16xf32>
  %x = mem.descriptor %b[0, 64] : !mem.buffer<128> -> memref<16xf32>
  mem.kernel "fine" uses(%v, %x : memref<16xf32>, memref<16xf32>) defines(%w : memref<16xf32>) disjoint
  // expected-note @+1 {{workspace #0 is defined here}}
  %y = mem.descriptor %a[60, 64] : !mem.buffer<128> -> memref<16xf32>
  mem.kernel "unsaid" uses(%v : memref<16xf32>) workspace(%y : memref<16xf32>)
  // expected-error @+1 {{asserts that its operands are disjoint, but uses #1, bytes [0, 64), and workspace #0, bytes [60, 124), overlap in the same buffer}}
  mem.kernel "overlap" uses(%x, %v : memref<16xf32>, memref<16xf32>) workspace(%y : memref<16xf32>) disjoint
  return
}

// -----

func.func @arena_without_level() {
  // expected-error @+1 {{must name the level it is in}}
  %a = mem.arena "", 128 : !mem.arena
  return
}

// -----

func.func @arena_of_negative_size() {
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint: a number of bytes that is not negative}}
  %a = mem.arena "sram", -1 : !mem.arena
  return
}

// -----

func.func @view_at_negative_offset(%arena: !mem.arena) {
  // expected-error @+1 {{attribute 'offset' failed to satisfy constraint: a number of bytes that is not negative}}
  %a = mem.view %arena[-1] : !mem.arena -> !mem.buffer<128>
  return
}

// -----

func.func @buffer_beyond_the_arena() {
  %arena = mem.arena "sram", 128 : !mem.arena
  // expected-error @+1 {{bytes [64, 192) are outside the 128 bytes of the arena}}
  %a = mem.view %arena[64] : !mem.arena -> !mem.buffer<128>
  return
}

// -----

func.func @memref_beyond_the_arena() {
  %arena = mem.arena "sram", 128 : !mem.arena
  // expected-error @+1 {{bytes [64, 192) are outside the 128 bytes of the arena}}
  %x = mem.view %arena[64] : !mem.arena -> memref<32xf32>
  return
}

// -----

func.func @view_beyond_the_slice() {
  %arena = mem.arena "sram", 1024 : !mem.arena
  %slice = mem.slice %arena[512, 64] : !mem.arena -> !mem.arena
  // expected-error @+1 {{bytes [0, 128) are outside the 64 bytes of the arena}}
  %a = mem.view %slice[0] : !mem.arena -> !mem.buffer<128>
  return
}

// -----

func.func @view_overflow(%arena: !mem.arena) {
  // expected-error @+1 {{offset 9223372036854775807 plus size 1 overflows 64 bits}}
  %a = mem.view %arena[9223372036854775807] : !mem.arena -> !mem.buffer<1>
  return
}

// -----

func.func @memref_view_overflow(%arena: !mem.arena) {
  // expected-error @+1 {{offset 9223372036854775806 plus size 2 overflows 64 bits}}
  %a = mem.view %arena[9223372036854775806] : !mem.arena -> memref<2xi8>
  return
}

// -----

func.func @view_not_aligned(%arena: !mem.arena) {
  // expected-error @+1 {{offset 96 is not a multiple of the alignment 64}}
  %a = mem.view %arena[96] {alignment = 64} : !mem.arena -> !mem.buffer<128>
  return
}

// -----

func.func @view_elements_overflow(%arena: !mem.arena) {
  // expected-error @+1 {{bytes of 'memref<4611686018427387904x4xi8>' overflow 64 bits}}
  %a = mem.view %arena[0] : !mem.arena -> memref<4611686018427387904x4xi8>
  return
}

// -----

func.func @view_strides_overflow(%arena: !mem.arena) {
  // expected-error @+1 {{bytes of 'memref<2x4611686018427387904x2xi8>' overflow 64 bits}}
  %a = mem.view %arena[0] : !mem.arena -> memref<2x4611686018427387904x2xi8>
  return
}

// -----

func.func @view_of_dynamic_shape(%arena: !mem.arena) {
  // expected-error @+1 {{'memref<?xf32>' must have a static shape and static strides}}
  %a = mem.view %arena[0] : !mem.arena -> memref<?xf32>
  return
}

// -----

func.func @view_of_dynamic_stride(%arena: !mem.arena) {
  // expected-error @+1 {{'memref<4xf32, strided<[?]>>' must have a static shape and static strides}}
  %a = mem.view %arena[0] : !mem.arena -> memref<4xf32, strided<[?]>>
  return
}

// -----

func.func @view_layout_not_strided(%arena: !mem.arena) {
  // expected-error-re @+1 {{layout of 'memref<{{.*}}>' must be the identity or strided}}
  %a = mem.view %arena[0] : !mem.arena -> memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>
  return
}

// -----

func.func @view_layout_offset_before_the_arena(%arena: !mem.arena) {
  // expected-error @+1 {{would start the memref 8 * 4 bytes before byte 16, outside its arena}}
  %a = mem.view %arena[16] : !mem.arena -> memref<4xf32, strided<[1], offset: 8>>
  return
}

// -----

func.func @view_in_another_space() {
  %arena = mem.arena "sram", 128 : !mem.arena
  // expected-error @+1 {{is in memory space 'dram', but its arena is in 'sram'}}
  %a = mem.view %arena[0] : !mem.arena -> memref<4xf32, #mem.space<"dram">>
  return
}

// -----

func.func @view_as_something_else(%arena: !mem.arena) {
  // expected-error @+1 {{result #0 must be buffer or memref of any type values, but got 'index'}}
  %a = mem.view %arena[0] : !mem.arena -> index
  return
}

// -----

func.func @slice_beyond_the_arena() {
  %arena = mem.arena "sram", 128 : !mem.arena
  // expected-error @+1 {{bytes [64, 129) are outside the 128 bytes of the arena}}
  %a = mem.slice %arena[64, 65] : !mem.arena -> !mem.arena
  return
}

// -----

func.func @slice_overflow(%arena: !mem.arena) {
  // expected-error @+1 {{offset 1 plus size 9223372036854775807 overflows 64 bits}}
  %a = mem.slice %arena[1, 9223372036854775807] : !mem.arena -> !mem.arena
  return
}

// -----

func.func @slice_of_negative_size(%arena: !mem.arena) {
  // expected-error @+1 {{attribute 'size' failed to satisfy constraint: a number of bytes that is not negative}}
  %a = mem.slice %arena[0, -1] : !mem.arena -> !mem.arena
  return
}

// -----

func.func @too_few_slots(%a: !mem.buffer<128>, %b: !mem.buffer<128>, %x: memref<32xf32>, %y: memref<32xf32>) {
  // expected-error @+1 {{expects at least 3 slots to avoid 2 memrefs, got 2}}
  %r = mem.rotate(%a, %b) avoiding(%x, %y : memref<32xf32>, memref<32xf32>) : !mem.buffer<128>
  return
}

// -----

func.func @slot_twice(%a: !mem.buffer<128>, %x: memref<32xf32>) {
  // expected-error @+1 {{slot #1 is the same as an earlier one}}
  %r = mem.rotate(%a, %a) avoiding(%x : memref<32xf32>) : !mem.buffer<128>
  return
}

// -----

func.func @slots_of_other_size(%a: !mem.buffer<128>, %b: !mem.buffer<64>) {
  // expected-error @+1 {{all slots have the type of the result}}
  %r = "mem.rotate"(%a, %b) {operandSegmentSizes = array<i32: 2, 0>} : (!mem.buffer<128>, !mem.buffer<64>) -> !mem.buffer<128>
  return
}

// -----

func.func @transfer_to_itself(%x: memref<32xf32>) {
  // expected-error @+1 {{source and target must not be the same value}}
  mem.load %x to %x : memref<32xf32> to memref<32xf32>
  return
}

// -----

func.func @transfer_of_another_shape(%x: memref<32xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{source 'memref<32xf32>' and target 'memref<4x8xf32>' must have the same shape and element type}}
  mem.store %x to %y : memref<32xf32> to memref<4x8xf32>
  return
}

// -----

func.func @transfer_of_another_type(%x: memref<32xf32>, %y: memref<32xi32>) {
  // expected-error @+1 {{must have the same shape and element type}}
  mem.swap %x to %y : memref<32xf32> to memref<32xi32>
  return
}

// -----

func.func @transfer_of_dynamic_shape(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error @+1 {{must transfer a static number of elements, got 'memref<?xf32>'}}
  mem.move %x to %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

func.func @token_without_async(%x: memref<4xf32>, %y: memref<4xf32, 1>) {
  // expected-error @+1 {{cannot name an operation with no results}}
  %t = mem.load %x to %y : memref<4xf32> to memref<4xf32, 1>
  return
}

// -----

func.func @wait_for_nothing() {
  // expected-error @+1 {{expects at least one token}}
  "mem.wait"() : () -> ()
  return
}

// -----

// expected-error @+1 {{'func.func' op attribute 'mem.joins' must be an array of dictionaries, got 1}}
func.func @joins() attributes {mem.joins = 1 : i64} {
  return
}

// -----

func.func @accesses() {
  // expected-error @+1 {{'func.return' op attribute 'mem.accesses' must be an array of dictionaries, got [1]}}
  return {mem.accesses = [1]}
}

// -----

func.func @buffer_without_size() {
  // expected-error @+1 {{'mem.buffer' op expects its size as operand, for its type does not state it}}
  %a = mem.buffer : !mem.buffer<?>
  return
}

// -----

func.func @buffer_with_two_sizes(%n: index) {
  // expected-error @+1 {{'mem.buffer' op has a size as operand, but its type states one}}
  %a = mem.buffer[%n] : !mem.buffer<128>
  return
}

// -----

func.func @arena_without_size() {
  // expected-error @+1 {{'mem.arena' op expects one size, an attribute or an operand}}
  %a = "mem.arena"() {level = "sram"} : () -> !mem.arena
  return
}

// -----

func.func @arena_with_two_sizes(%n: index) {
  // expected-error @+1 {{'mem.arena' op expects one size, an attribute or an operand}}
  %a = "mem.arena"(%n) {level = "sram", size = 128 : i64} : (index) -> !mem.arena
  return
}

// -----

func.func @view_without_size(%a: !mem.arena) {
  // expected-error @+1 {{'mem.view' op expects 1 operands beside its arena, got 0}}
  %b = mem.view %a[0] : !mem.arena -> !mem.buffer<?>
  return
}

// -----

func.func @view_with_two_sizes(%a: !mem.arena, %n: index) {
  // expected-error @+1 {{'mem.view' op expects 0 operands beside its arena, got 1}}
  %b = mem.view %a[0, %n] : !mem.arena -> !mem.buffer<128>
  return
}

// -----

func.func @view_without_offset(%a: !mem.arena) {
  // expected-error @+1 {{'mem.view' op expects 1 operands beside its arena, got 0}}
  %b = "mem.view"(%a) : (!mem.arena) -> !mem.buffer<128>
  return
}

// -----

func.func @slice_with_two_offsets(%a: !mem.arena, %n: index) {
  // expected-error @+1 {{'mem.slice' op expects one offset, an attribute or an operand}}
  %b = "mem.slice"(%a, %n) {offset = 0 : i64, size = 128 : i64} : (!mem.arena, index) -> !mem.arena
  return
}

// -----

func.func @descriptor_below_start(%n: index) {
  %a = mem.buffer[%n] : !mem.buffer<?>
  // expected-error @+1 {{'mem.descriptor' op offset must not be negative, got -1}}
  %b = mem.descriptor %a[-1, %n] : !mem.buffer<?> -> memref<?xi8>
  return
}

// -----

func.func @bytes_missing() {
  // expected-error @+1 {{expected attribute value}}
  %a = mem.arena "sram", : !mem.arena
  return
}

// -----

// expected-error @+1 {{attribute 'mem.recompute' must be a unit attribute, got 1}}
func.func private @recompute() attributes {mem.recompute = 1 : i64}

// -----

// expected-error @+1 {{attribute 'mem.group' must be an i64, got 1 : i32}}
func.func private @group() attributes {mem.group = 1 : i32}

// -----

// expected-error @+1 {{attribute 'mem.untiled' must be an array of three i64 that are not negative, got array<i64: 1, 2>}}
func.func private @untiled() attributes {mem.untiled = array<i64: 1, 2>}

// -----

// expected-error @+1 {{attribute 'mem.untiled' must be an array of three i64 that are not negative, got array<i64: 1, -2, 3>}}
func.func private @untiled() attributes {mem.untiled = array<i64: 1, -2, 3>}

// -----

// expected-error @+1 {{a hierarchy must have at least one level}}
module attributes {mem.hierarchy = #mem.hierarchy<compute = 1.0>} {}

// -----

// expected-error @+1 {{expected levels to come first}}
module attributes {mem.hierarchy = #mem.hierarchy<preloaded, #mem.level<"sram">>} {}

// -----

// expected-error @+1 {{expected 'engines', 'operands', 'compute', 'preloaded', 'generic', 'link', 'links', 'routes' or 'ranks', each at most once, got 'speed'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, speed = 1>} {}

// -----

// expected-error @+1 {{each at most once, got 'link'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, link = (latency = 1, bandwidth = 1.0), link = (latency = 1, bandwidth = 1.0)>} {}

// -----

// expected-error @+1 {{bandwidth must be positive and finite, got 0}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, link = (latency = 1, bandwidth = 0.0)>} {}

// -----

// expected-error @+1 {{expected '('}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, link = 5>} {}

// -----

// expected-error @+1 {{a hierarchy must not have both 'link' and 'links'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, link = (latency = 1, bandwidth = 1.0), links = [#mem.link<"a", latency = 1, bandwidth = 1.0>]>} {}

// -----

// expected-error @+1 {{a hierarchy must not have two links named 'a'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, links = [#mem.link<"a", latency = 1, bandwidth = 1.0>, #mem.link<"a", latency = 2, bandwidth = 1.0>]>} {}

// -----

// expected-error @+1 {{one route must have no conditions: that of all other messages}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, links = [#mem.link<"a", latency = 1, bandwidth = 1.0>, #mem.link<"b", latency = 2, bandwidth = 1.0>]>} {}

// -----

#link = #mem.link<"a", latency = 1, bandwidth = 1.0>
// expected-error @+1 {{a hierarchy must not have two routes without conditions}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, links = [#link], routes = [#mem.route<"a">, #mem.route<"a">]>} {}

// -----

#link = #mem.link<"a", latency = 1, bandwidth = 1.0>
// expected-error @+1 {{a route leads over link 'b', which the hierarchy does not have}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, links = [#link], routes = [#mem.route<"b">]>} {}

// -----

#links = #mem.link<"a", latency = 1, bandwidth = 1.0>
#other = #mem.link<"b", latency = 1, bandwidth = 1.0>
// expected-error @+1 {{no route leads over link 'b'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, links = [#links, #other], routes = [#mem.route<"a">]>} {}

// -----

// expected-error @+1 {{routes need the links that they lead over: expected 'links'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, routes = [#mem.route<"a">]>} {}

// -----

#link = #mem.link<"a", latency = 1, bandwidth = 1.0>
// expected-error @+1 {{the route over link 'a' is by node, distance or axis, which needs the number of ranks: expected 'ranks'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, links = [#link], routes = [#mem.route<"a", node = 8>, #mem.route<"a">]>} {}

// -----

#link = #mem.link<"a", latency = 1, bandwidth = 1.0>
// expected-error @+1 {{the route over link 'a' is along axis 2, which the grid of ranks does not have}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, ranks = [2, 4], links = [#link], routes = [#mem.route<"a", axes = [0, 2]>, #mem.route<"a">]>} {}

// -----

#link = #mem.link<"a", latency = 1, bandwidth = 1.0>
// expected-error @+1 {{the route over link 'a' is to rank 8, which does not exist}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, ranks = [2, 4], links = [#link], routes = [#mem.route<"a", peers = [8]>, #mem.route<"a">]>} {}

// -----

// expected-error @+1 {{the grid of ranks must have from 1 to 65536 ranks}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, ranks = [65536, 2]>} {}

// -----

// expected-error @+1 {{the grid of ranks must have from 1 to 65536 ranks}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, ranks = [0]>} {}

// -----

// expected-error @+1 {{a link must have a name}}
#link = #mem.link<"", latency = 1, bandwidth = 1.0>

// -----

// expected-error @+1 {{expected 'duplex'}}
#link = #mem.link<"a", latency = 1, bandwidth = 1.0, simplex>

// -----

// expected-error @+1 {{latency must not be negative, got -1}}
#link = #mem.link<"a", latency = -1, bandwidth = 1.0>

// -----

// expected-error @+1 {{expected one of 'send', 'receive' and 'collective', 'node', 'distances', 'peers' or 'axes', each at most once, got 'rank'}}
#route = #mem.route<"a", rank = 1>

// -----

// expected-error @+1 {{each at most once, got 'receive'}}
#route = #mem.route<"a", send, receive>

// -----

// expected-error @+1 {{expected at least one number}}
#route = #mem.route<"a", peers = []>

// -----

// expected-error @+1 {{a node must have at least one rank, got 0}}
#route = #mem.route<"a", node = 0>

// -----

// expected-error @+1 {{a rank has no message for the one at distance 0}}
#route = #mem.route<"a", distances = [1, 0]>

// -----

// expected-error @+1 {{ranks and axes are numbered from 0, got -1}}
#route = #mem.route<"a", peers = [-1]>

// -----

// expected-error @+1 {{a collective over link 'a' has neither a peer nor a distance}}
#route = #mem.route<"a", collective, distances = [1]>

// -----

// expected-error @+1 {{compute must be positive and finite, got 0}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, compute = 0.0>} {}

// -----

// expected-error @+1 {{engine 'dma' must copy from at least one level to another}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, engines = [#mem.engine<"dma">]>} {}

// -----

// expected-error @+1 {{engine 'dma' must not copy from level "sram" to itself}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, engines = [#mem.engine<"dma", "sram" to "sram">]>} {}

// -----

// expected-error @+1 {{engine 'dma' copies from or to level "dram", which the hierarchy does not have}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, engines = [#mem.engine<"dma", "sram" to "dram">]>} {}

// -----

// expected-error @+1 {{no engine reaches level 'flash'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, #mem.level<"dram">, #mem.level<"flash">,
    engines = [#mem.engine<"dma", "sram" to "dram">]>} {}

// -----

// expected-error @+1 {{a hierarchy must not have two engines named 'dma'}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, #mem.level<"dram">,
    engines = [#mem.engine<"dma", "sram" to "dram">, #mem.engine<"dma", "dram" to "sram">]>} {}

// -----

// expected-error @+1 {{operand 0 of 'linalg.matmul' is accepted in level "flash", which the hierarchy does not have}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, operands = [#mem.operand<"linalg.matmul", 0, "flash">]>} {}

// -----

// expected-error @+1 {{an operand must be of an operation, have a number from 0, and be accepted in at least one level}}
module attributes {mem.hierarchy = #mem.hierarchy<#mem.level<"sram">, operands = [#mem.operand<"linalg.matmul", 0>]>} {}

// -----

// expected-error @+1 {{attribute 'mem.name' of argument #0 must be a string that is not empty, got 7}}
func.func private @number_for_a_name(memref<4xf32> {mem.name = 7 : i64})

// -----

// expected-error @+1 {{must be a string that is not empty, got ""}}
func.func private @no_name(memref<4xf32> {mem.name = ""})

// -----

// expected-error @+1 {{attribute 'mem.name' of argument #0 must not begin with '@', which is reserved for globals, got "@g"}}
func.func private @name_of_a_global(memref<4xf32> {mem.name = "@g"})

// -----

// expected-error @+1 {{arguments #0 and #2 have the same 'mem.name', "x"}}
func.func private @two_of_one_name(memref<4xf32> {mem.name = "x"}, memref<4xf32> {mem.name = "y"}, memref<4xf32> {mem.name = "x"})

// -----

// expected-error @+1 {{has attribute 'mem.name', which belongs on a function argument}}
func.func private @named() attributes {mem.name = "f"}

// -----

// expected-error @+1 {{level 'a' must not be in memory space 'b', which names another level}}
#level = #mem.level<"a", space = #mem.space<"b">>

// -----

// expected-error @+1 {{a memory space must not be negative}}
#level = #mem.level<"a", space = -1>

// -----

// expected-error @+1 {{unsupported memory space Attribute}}
#level = #mem.level<"a", space = [1]>

// -----

// expected-error @+1 {{unsupported memory space Attribute}}
#hierarchy = #mem.hierarchy<#mem.level<"a">, generic = unit>

// -----

// expected-error @+1 {{expected 'capacity', 'alignment', 'read', 'write' or 'space', each at most once, got 'space'}}
#level = #mem.level<"a", space = 1, space = 1>

// -----

// expected-error @+1 {{unsupported memory space Attribute}}
func.func private @space_of_buffer(!mem.buffer<8, [1]>)

// -----

func.func @descriptor_elsewhere(%b: !mem.buffer<16, 1>) {
  // expected-error @+1 {{is in memory space 2, but its buffer is in 1}}
  %0 = mem.descriptor %b[0, 16] : !mem.buffer<16, 1> -> memref<4xf32, 2>
  return
}

// -----

func.func @descriptor_without_space(%b: !mem.buffer<16, 1>) {
  // expected-error @+1 {{is in the default memory space, but its buffer is in 1}}
  %0 = mem.descriptor %b[0, 16] : !mem.buffer<16, 1> -> memref<4xf32>
  return
}

// -----

func.func @view_elsewhere(%a: !mem.arena<1>) {
  // expected-error @+1 {{is in memory space 2, but its arena is in 1}}
  %0 = mem.view %a[0] : !mem.arena<1> -> !mem.buffer<16, 2>
  return
}

// -----

func.func @buffer_in_other_level() {
  %a = mem.arena "dram", 16 : !mem.arena
  // expected-error @+1 {{is in memory space 'sram', but its arena is in 'dram'}}
  %0 = mem.view %a[0] : !mem.arena -> !mem.buffer<16, #mem.space<"sram">>
  return
}

// -----

func.func @slice_elsewhere(%a: !mem.arena<1>) {
  // expected-error @+1 {{expects the type of its arena, '!mem.arena<1>', got '!mem.arena'}}
  %0 = mem.slice %a[0, 16] : !mem.arena<1> -> !mem.arena
  return
}
