// Which of several storages a value denotes depends on a condition or on the number of iterations. Programs are
// compared in each case. The originals are in inputs/cases.mlir; here, storages are in an arena, and a storage
// that is allocated in each iteration alternates between two slots.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-validate{original=%S/inputs/cases.mlir})' -o %t 2>&1 | count 0

func.func private @f(index)

func.func @chosen(%x: memref<4xf32>, %y: memref<4xf32>, %p: i1, %i: index, %v: f32) {
  %arena = memref.alloc() : memref<32xi8>
  %start = arith.constant 0 : index
  %middle = arith.constant 16 : index
  %a = memref.view %arena[%start][] : memref<32xi8> to memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  %m = arith.select %p, %x, %a : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %before = memref.load %x[%i] : memref<4xf32>
  memref.store %before, %a[%i] : memref<4xf32>
  linalg.add ins(%m, %a : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

func.func @exchanged(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<32xi8>
  %start = arith.constant 0 : index
  %middle = arith.constant 16 : index
  %a = memref.view %arena[%start][] : memref<32xi8> to memref<4xf32>
  %b = memref.view %arena[%middle][] : memref<32xi8> to memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (memref<4xf32>, memref<4xf32>) {
    linalg.transpose ins(%s : memref<4xf32>) outs(%t : memref<4xf32>) permutation = [0]
    linalg.tanh ins(%x : memref<4xf32>) outs(%s : memref<4xf32>)
    linalg.add ins(%s, %t : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
    scf.yield %t, %s : memref<4xf32>, memref<4xf32>
  }
  memref.copy %last#0, %y : memref<4xf32> to memref<4xf32>
  return
}

func.func @renewed(%x: memref<4xf32>, %y: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<32xi8>
  %start = arith.constant 0 : index
  %middle = arith.constant 16 : index
  %a = memref.view %arena[%start][] : memref<32xi8> to memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (memref<4xf32>) {
    %free = memref.view %arena[%start][] : memref<32xi8> to memref<16xi8>
    %other = memref.view %arena[%middle][] : memref<32xi8> to memref<16xi8>
    %c16 = arith.constant 16 : index
    %old = memref.extract_aligned_pointer_as_index %s : memref<4xf32> -> index
    %first = memref.extract_aligned_pointer_as_index %free : memref<16xi8> -> index
    %distance = arith.subi %old, %first : index
    %busy = arith.cmpi ult, %distance, %c16 : index
    %slot = arith.select %busy, %other, %free : memref<16xi8>
    %b = memref.view %slot[%start][] : memref<16xi8> to memref<4xf32>
    linalg.generic {indexing_maps = [affine_map<(d) -> (3 - d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%s : memref<4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%from: f32, %to: f32):
      linalg.yield %from : f32
    }
    scf.yield %b : memref<4xf32>
  }
  memref.copy %last, %y : memref<4xf32> to memref<4xf32>
  return
}

func.func @blocks(%x: memref<4xf32>, %y: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %arena = memref.alloc() : memref<32xi8>
  %start = arith.constant 0 : index
  %middle = arith.constant 16 : index
  %a = memref.view %arena[%start][] : memref<32xi8> to memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  cf.br ^head(%c0, %a : index, memref<4xf32>)
^head(%i: index, %s: memref<4xf32>):
  %continues = arith.cmpi ult, %i, %c3 : index
  cf.cond_br %continues, ^body, ^end
^body:
  %free = memref.view %arena[%start][] : memref<32xi8> to memref<16xi8>
  %other = memref.view %arena[%middle][] : memref<32xi8> to memref<16xi8>
  %c16 = arith.constant 16 : index
  %old = memref.extract_aligned_pointer_as_index %s : memref<4xf32> -> index
  %first = memref.extract_aligned_pointer_as_index %free : memref<16xi8> -> index
  %distance = arith.subi %old, %first : index
  %busy = arith.cmpi ult, %distance, %c16 : index
  %slot = arith.select %busy, %other, %free : memref<16xi8>
  %b = memref.view %slot[%start][] : memref<16xi8> to memref<4xf32>
  linalg.add ins(%s, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  memref.store %v, %s[%i] : memref<4xf32>
  linalg.add ins(%s, %b : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %b : index, memref<4xf32>)
^end:
  %last = memref.load %s[%i] : memref<4xf32>
  memref.store %last, %y[%c0] : memref<4xf32>
  return
}

func.func @decided(%x: memref<1xf32>, %p: i1, %q: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  cf.cond_br %p, ^yes(%p : i1), ^no(%q : i1)
^yes(%r: i1):
  memref.store %v, %x[%c0] : memref<1xf32>
  return
^no(%s: i1):
  return
}

func.func @addressed(%x: memref<1xf32>, %y: memref<1xf32>) {
  %a = memref.extract_aligned_pointer_as_index %x : memref<1xf32> -> index
  call @f(%a) : (index) -> ()
  return
}

func.func @exits(%x: memref<4xf32>, %y: memref<4xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  cf.br ^head(%c0, %a : index, memref<4xf32>)
^head(%i: index, %s: memref<4xf32>):
  %continues = arith.cmpi ult, %i, %c3 : index
  cf.cond_br %continues, ^body, ^first
^body:
  %b = memref.alloc() : memref<4xf32>
  linalg.add ins(%s, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  %next = arith.addi %i, %c1 : index
  %stops = arith.cmpi eq, %next, %n : index
  cf.cond_br %stops, ^second, ^head(%next, %b : index, memref<4xf32>)
^first:
  cf.br ^end
^second:
  linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
  cf.br ^end
^end:
  %last = memref.load %s[%c1] : memref<4xf32>
  memref.store %last, %y[%c0] : memref<4xf32>
  return
}

func.func @often(%x: memref<8xf32>, %y: memref<4xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.tanh ins(%y : memref<4xf32>) outs(%b : memref<4xf32>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %continues = arith.cmpi ult, %i, %c8 : index
  cf.cond_br %continues, ^body, ^first
^body:
  %rest = arith.remui %i, %c2 : index
  %is_even = arith.cmpi eq, %rest, %c0 : index
  cf.cond_br %is_even, ^even, ^odd
^even:
  cf.br ^both(%a : memref<4xf32>)
^odd:
  cf.br ^both(%b : memref<4xf32>)
^both(%m: memref<4xf32>):
  %own = memref.load %m[%c1] : memref<4xf32>
  memref.store %own, %x[%i] : memref<8xf32>
  %next = arith.addi %i, %c1 : index
  %stops = arith.cmpi eq, %next, %n : index
  cf.cond_br %stops, ^second, ^head(%next : index)
^first:
  cf.br ^end
^second:
  cf.br ^end
^end:
  memref.store %v, %x[%i] : memref<8xf32>
  return
}

func.func @selected(%x: memref<8xf32>, %n: index, %v: f32, %w: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%w : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%w : f32) outs(%b : memref<4xf32>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %continues = arith.cmpi ult, %i, %c8 : index
  cf.cond_br %continues, ^body, ^first
^body:
  %rest = arith.remui %i, %c2 : index
  %is_even = arith.cmpi eq, %rest, %c0 : index
  cf.cond_br %is_even, ^even, ^both
^even:
  memref.store %v, %b[%c1] : memref<4xf32>
  cf.br ^both
^both:
  %m = arith.select %is_even, %a, %b : memref<4xf32>
  %own = memref.load %m[%c1] : memref<4xf32>
  memref.store %own, %x[%i] : memref<8xf32>
  %next = arith.addi %i, %c1 : index
  %stops = arith.cmpi eq, %next, %n : index
  cf.cond_br %stops, ^second, ^head(%next : index)
^first:
  cf.br ^end
^second:
  cf.br ^end
^end:
  memref.store %v, %x[%i] : memref<8xf32>
  return
}

func.func private @g(f32)

func.func @forever(%v: f32, %w: f32) {
  cf.br ^again
^again:
  call @g(%v) : (f32) -> ()
  cf.br ^again
}

func.func private @h() -> i1

func.func @until(%x: memref<4xf32>, %y: memref<4xf32>) {
  %arena = memref.alloc() : memref<32xi8>
  %start = arith.constant 0 : index
  %middle = arith.constant 16 : index
  %a = memref.view %arena[%start][] : memref<32xi8> to memref<4xf32>
  %b = memref.view %arena[%middle][] : memref<32xi8> to memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  %last:2 = scf.while (%s = %a, %t = %b) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %from = memref.subview %s[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
    %to = memref.subview %t[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
    linalg.exp ins(%from : memref<3xf32, strided<[1], offset: 1>>) outs(%to : memref<3xf32, strided<[1]>>)
    %continues = func.call @h() : () -> i1
    scf.condition(%continues) %s, %t : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%s: memref<4xf32>, %t: memref<4xf32>):
    scf.yield %t, %s : memref<4xf32>, memref<4xf32>
  }
  memref.copy %last#1, %y : memref<4xf32> to memref<4xf32>
  return
}
