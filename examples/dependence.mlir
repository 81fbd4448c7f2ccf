// One buffer, written piece by piece: which definitions reach each read?
func.func @a() {
  %b = mem.buffer {name = "b"} : !mem.buffer<65>
  %md1 = mem.descriptor %b[0, 32] : !mem.buffer<65> -> memref<32xi8>
  %md2 = mem.descriptor %b[0, 16] : !mem.buffer<65> -> memref<16xi8>
  %md3 = mem.descriptor %b[16, 16] : !mem.buffer<65> -> memref<16xi8>
  %md4 = mem.descriptor %b[0, 65] : !mem.buffer<65> -> memref<65xi8>
  mem.kernel "ir1" defines(%md1 : memref<32xi8>)
  mem.kernel "ir2" uses(%md1 : memref<32xi8>)
  mem.kernel "ir3" defines(%md2 : memref<16xi8>)
  mem.kernel "ir4" uses(%md1 : memref<32xi8>)
  mem.kernel "ir5" defines(%md3 : memref<16xi8>)
  mem.kernel "ir6" uses(%md4 : memref<65xi8>)
  return
}
