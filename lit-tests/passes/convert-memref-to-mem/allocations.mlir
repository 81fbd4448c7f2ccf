// Allocations become buffers with the size, alignment, name and role of the allocation. Their
// deallocations are erased. Error-prone cases: elements that do not fill their bytes,
// duplicate names, allocations inside loops, and an alignment that a view of bytes relies on.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem)' | FileCheck %s
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem{alignment=64})' \
// RUN:   | FileCheck %s --check-prefix=ALIGN
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,convert-memref-to-mem)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @alloc_and_dealloc
// ALIGN-LABEL: func.func @alloc_and_dealloc
func.func @alloc_and_dealloc(%v: f32) {
  // CHECK-NEXT: %[[B:.*]] = mem.buffer {alignment = 4 : i64, name = "buf0"} : !mem.buffer<128>
  // CHECK-NEXT: %[[D:.*]] = mem.descriptor %[[B]][0, 128] : !mem.buffer<128> -> memref<32xf32>
  // CHECK-NEXT: linalg.fill ins(%{{.*}}) outs(%[[D]] : memref<32xf32>)
  // CHECK-NEXT: return
  // ALIGN: mem.buffer {alignment = 64 : i64, name = "buf0"}
  %a = memref.alloc() : memref<32xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<32xf32>)
  memref.dealloc %a : memref<32xf32>
  return
}

// CHECK-LABEL: func.func @alloca
func.func @alloca(%v: f32) {
  // CHECK-NEXT: mem.buffer {alignment = 4 : i64, name = "buf0"} : !mem.buffer<4>
  // CHECK-NOT: memref.alloca
  %a = memref.alloca() : memref<f32>
  memref.store %v, %a[] : memref<f32>
  return
}

// An explicit alignment is used, unless the elements require a larger one.
// CHECK-LABEL: func.func @alignment
// ALIGN-LABEL: func.func @alignment
func.func @alignment() {
  // CHECK: mem.buffer {alignment = 256 : i64, name = "buf0"} : !mem.buffer<16>
  // ALIGN: mem.buffer {alignment = 256 : i64, name = "buf0"}
  %a = memref.alloc() {alignment = 256 : i64} : memref<4xf32>
  // CHECK: mem.buffer {alignment = 8 : i64, name = "buf1"} : !mem.buffer<32>
  // ALIGN: mem.buffer {alignment = 64 : i64, name = "buf1"}
  %b = memref.alloc() {alignment = 2 : i64} : memref<4xf64>
  // CHECK: mem.buffer {alignment = 16 : i64, name = "buf2"} : !mem.buffer<64>
  %c = memref.alloc() : memref<4xvector<4xf32>>
  return
}

// The distance between elements in bytes is the one that LLVM uses.
// CHECK-LABEL: func.func @element_sizes
func.func @element_sizes() {
  // CHECK: mem.buffer {{.*}} : !mem.buffer<5>
  // CHECK-NEXT: memref<5xi1>
  %0 = memref.alloc() : memref<5xi1>
  // CHECK: mem.buffer {{.*}} : !mem.buffer<20>
  // CHECK-NEXT: memref<5xi24>
  %1 = memref.alloc() : memref<5xi24>
  // CHECK: mem.buffer {{.*}} : !mem.buffer<40>
  // CHECK-NEXT: memref<5xindex>
  %2 = memref.alloc() : memref<5xindex>
  // CHECK: mem.buffer {{.*}} : !mem.buffer<10>
  // CHECK-NEXT: memref<5xbf16>
  %3 = memref.alloc() : memref<5xbf16>
  // CHECK: mem.buffer {{.*}} : !mem.buffer<40>
  // CHECK-NEXT: memref<5xcomplex<f32>>
  %4 = memref.alloc() : memref<5xcomplex<f32>>
  // A vector of three elements is padded to four.
  // CHECK: mem.buffer {{.*}} : !mem.buffer<80>
  // CHECK-NEXT: memref<5xvector<3xf32>>
  %5 = memref.alloc() : memref<5xvector<3xf32>>
  // CHECK: mem.buffer {{.*}} : !mem.buffer<0>
  // CHECK-NEXT: memref<5x0xf32>
  %6 = memref.alloc() : memref<5x0xf32>
  return
}

// CHECK-LABEL: func.func @names
func.func @names() {
  // CHECK: mem.buffer {{.*}}name = "conv1/out"
  %a = memref.alloc() : memref<4xf32> loc("conv1/out")
  // CHECK: mem.buffer {{.*}}name = "conv1/out.1"
  %b = memref.alloc() : memref<4xf32> loc("conv1/out")
  // CHECK: mem.buffer {{.*}}name = "conv1/out.2"
  %c = memref.alloc() : memref<4xf32> loc("conv1/out")
  // CHECK: mem.buffer {{.*}}name = "x"
  %d = memref.alloc() : memref<4xf32> loc("x"("net.py":7:3))
  // CHECK: mem.buffer {{.*}}name = "buf4"
  %e = memref.alloc() : memref<4xf32>
  return
}

// malloc aligns to 16 bytes, so code may view bytes as larger elements, or assume an alignment.
// CHECK-LABEL: func.func @alignment_of_views
func.func @alignment_of_views(%v: f32, %w: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // CHECK: mem.buffer {alignment = 4 : i64, name = "buf0"} : !mem.buffer<64>
  %a = memref.alloc() : memref<64xi8>
  %b = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  // CHECK: mem.buffer {alignment = 16 : i64, name = "buf1"} : !mem.buffer<16>
  %c = memref.alloc() : memref<4xf32>
  %d = memref.assume_alignment %c, 16 : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<4xf32>)
  // CHECK: mem.buffer {alignment = 8 : i64, name = "buf2"} : !mem.buffer<16>
  %e = memref.alloc() : memref<4xf32>
  vector.store %w, %e[%c0] {alignment = 8 : i64} : memref<4xf32>, vector<4xf32>
  return
}

// A new instance in each iteration is still one buffer.
// CHECK-LABEL: func.func @in_a_loop
func.func @in_a_loop(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: mem.buffer
  // CHECK-NOT: dealloc
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @never_used
func.func @never_used() {
  // CHECK-NEXT: mem.buffer
  %a = memref.alloc() : memref<4xf32>
  return
}
