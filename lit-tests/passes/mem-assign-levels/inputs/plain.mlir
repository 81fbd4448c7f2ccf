module {
  func.func @main(%x: memref<32xf32>) {
    mem.kernel "a" defines(%x : memref<32xf32>)
    return
  }
}
