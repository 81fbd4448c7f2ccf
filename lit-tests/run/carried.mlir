// Live ranges that span several iterations of a loop: a buffer carried to the next iteration, or to
// the one after it, must not be overwritten, whichever buffer it is by then.

// DEFINE: %{run} = mem-run %s --compare --function
// RUN: %{run}=swap | FileCheck %s
// RUN: %{run}=rotate | FileCheck %s
// RUN: %{run}=two_rounds_later | FileCheck %s
// RUN: %{run}=nested | FileCheck %s
// RUN: %{run}=never_entered | FileCheck %s
// RUN: %{run}=while | FileCheck %s
// RUN: %{run}=written_in_part | FileCheck %s
// RUN: %{run}=one_of_two | FileCheck %s
// RUN: %{run}=merged | FileCheck %s
// RUN: %{run}=blocks | FileCheck %s
// RUN: %{run}=calls | FileCheck %s

// CHECK: argument {{.*}} changed    equal
// CHECK-NOT: fault
// CHECK: planned {{.*}} 1{{$}}
// CHECK: equal: {{[0-9]+}} values

// Two buffers are swapped in every iteration, and only one is written.
func.func @swap(%in: memref<8xf32>, %out: memref<8xf32>, %out2: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %half = arith.constant 0.5 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%half : f32) outs(%b : memref<8xf32>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<8xf32>, memref<8xf32>) {
    linalg.add ins(%x, %y : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
    scf.yield %y, %x : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %out : memref<8xf32> to memref<8xf32>
  memref.copy %r#1, %out2 : memref<8xf32> to memref<8xf32>
  return
}

// Three buffers rotate by one position per iteration; the third is read three iterations after its write.
func.func @rotate(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.negf ins(%in : memref<8xf32>) outs(%c : memref<8xf32>)
  %r:3 = scf.for %i = %c0 to %c7 step %c1 iter_args(%x = %a, %y = %b, %z = %c)
      -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
    linalg.sub ins(%z, %y : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
    scf.yield %y, %z, %x : memref<8xf32>, memref<8xf32>, memref<8xf32>
  }
  linalg.add ins(%r#0, %r#1 : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.add ins(%out, %r#2 : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// Each iteration allocates a buffer that is read in the next two iterations.
func.func @two_rounds_later(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%last = %a, %before = %a)
      -> (memref<8xf32>, memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    linalg.sub ins(%last, %before : memref<8xf32>, memref<8xf32>) outs(%new : memref<8xf32>)
    linalg.add ins(%new, %in : memref<8xf32>, memref<8xf32>) outs(%new : memref<8xf32>)
    scf.yield %new, %last : memref<8xf32>, memref<8xf32>
  }
  linalg.sub ins(%r#0, %r#1 : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The inner loop replaces the value that the outer loop carries, while the outer loop still needs its own.
func.func @nested(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xf32>) {
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> (memref<8xf32>) {
      %new = memref.alloc() : memref<8xf32>
      linalg.sub ins(%y, %in : memref<8xf32>, memref<8xf32>) outs(%new : memref<8xf32>)
      scf.yield %new : memref<8xf32>
    }
    %sum = memref.alloc() : memref<8xf32>
    linalg.add ins(%x, %q : memref<8xf32>, memref<8xf32>) outs(%sum : memref<8xf32>)
    scf.yield %sum : memref<8xf32>
  }
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  return
}

// Zero iterations: the result is the initial buffer, which stays live.
func.func @never_entered(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%x = %a) -> (memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%new : memref<8xf32>)
    scf.yield %new : memref<8xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  linalg.negf ins(%in : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%r, %b : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%b, %r : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The first region also writes, once more often than the second.
func.func @while(%in: memref<8xf32>, %out: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  %i, %r = scf.while (%j = %c0, %x = %a) : (index, memref<8xf32>) -> (index, memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    linalg.negf ins(%x : memref<8xf32>) outs(%new : memref<8xf32>)
    %more = arith.cmpi ult, %j, %n : index
    scf.condition(%more) %j, %new : index, memref<8xf32>
  } do {
  ^bb0(%j: index, %x: memref<8xf32>):
    %new = memref.alloc() : memref<8xf32>
    linalg.add ins(%x, %in : memref<8xf32>, memref<8xf32>) outs(%new : memref<8xf32>)
    %next = arith.addi %j, %c1 : index
    scf.yield %next, %new : index, memref<8xf32>
  }
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  return
}

// The first half is written before the loop, the second half in every iteration; both are read after the loop.
func.func @written_in_part(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xf32>
  %low = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %high = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %source = memref.subview %in[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.copy ins(%source : memref<4xf32, strided<[1], offset: 2>>)
      outs(%low : memref<4xf32, strided<[1]>>)
  scf.for %i = %c0 to %c3 step %c1 {
    %t = memref.alloc() : memref<4xf32>
    linalg.exp ins(%source : memref<4xf32, strided<[1], offset: 2>>) outs(%t : memref<4xf32>)
    linalg.copy ins(%t : memref<4xf32>) outs(%high : memref<4xf32, strided<[1], offset: 4>>)
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// Which of two buffers is read later is known only at run time: both stay live.
func.func @one_of_two(%in: memref<8xf32>, %out: memref<8xf32>, %flag: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.negf ins(%in : memref<8xf32>) outs(%b : memref<8xf32>)
  %x = arith.select %flag, %a, %b : memref<8xf32>
  %y = arith.select %flag, %b, %a : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.add ins(%x, %in : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  linalg.sub ins(%c, %y : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// One arm yields its own buffer, the other yields a buffer from outside that is read afterwards.
func.func @merged(%in: memref<8xf32>, %out: memref<8xf32>, %flag: i1) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %r = scf.if %flag -> (memref<8xf32>) {
    %t = memref.alloc() : memref<8xf32>
    linalg.negf ins(%a : memref<8xf32>) outs(%t : memref<8xf32>)
    scf.yield %t : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  %c = memref.alloc() : memref<8xf32>
  linalg.mul ins(%in, %in : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  linalg.add ins(%r, %c : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  linalg.sub ins(%c, %a : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The same swap as in @swap, between blocks.
func.func @blocks(%in: memref<8xf32>, %out: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %in, %a : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%b : memref<8xf32>)
  cf.br ^head(%c0, %a, %b : index, memref<8xf32>, memref<8xf32>)
^head(%i: index, %x: memref<8xf32>, %y: memref<8xf32>):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %t = memref.alloc() : memref<8xf32>
  linalg.sub ins(%x, %y : memref<8xf32>, memref<8xf32>) outs(%t : memref<8xf32>)
  memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %y, %x : index, memref<8xf32>, memref<8xf32>)
^end:
  linalg.sub ins(%x, %y : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// A callee has its own buffers while its caller's are live, at every call depth.
func.func private @leaf(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.sub ins(%t, %x : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func private @middle(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.negf ins(%x : memref<8xf32>) outs(%t : memref<8xf32>)
  call @leaf(%t, %u) : (memref<8xf32>, memref<8xf32>) -> ()
  linalg.add ins(%t, %u : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func @calls(%in: memref<8xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  call @middle(%in, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  call @leaf(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  call @middle(%b, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  linalg.add ins(%a, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}
