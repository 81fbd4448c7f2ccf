// The payload of an operation may read buffers that are not operands. Such a buffer must be
// live until then: the plan keeps the two buffers apart only if the analysis sees the read.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(convert-memref-to-mem,mem-plan)' | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @read_in_a_payload
func.func @read_in_a_payload(%v: f32, %out: memref<64xf32>) {
  // CHECK: mem.arena "arena", 512
  // CHECK: mem.view %arena[0] {{.*}}name = "table"
  %table = memref.alloc() : memref<64xf32> loc("table")
  linalg.fill ins(%v : f32) outs(%table : memref<64xf32>)
  // CHECK: mem.view %arena[256] {{.*}}name = "other"
  %other = memref.alloc() : memref<64xf32> loc("other")
  linalg.fill ins(%v : f32) outs(%other : memref<64xf32>)
  memref.copy %other, %out : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : memref<64xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = memref.load %table[%i] : memref<64xf32>
    linalg.yield %x : f32
  }
  return
}

// A gather as importers emit it: the payload reads the table at an index held by an operand.
// CHECK-LABEL: func.func @gather
func.func @gather(%ids: memref<8xindex>, %v: f32, %out: memref<8xf32>) {
  // CHECK: mem.arena "arena", 288
  %table = memref.alloc() : memref<64xf32> loc("table")
  linalg.fill ins(%v : f32) outs(%table : memref<64xf32>)
  %other = memref.alloc() : memref<8xf32> loc("other")
  linalg.fill ins(%v : f32) outs(%other : memref<8xf32>)
  memref.copy %other, %out : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%ids : memref<8xindex>) outs(%out : memref<8xf32>) {
  ^bb0(%i: index, %o: f32):
    %x = memref.load %table[%i] : memref<64xf32>
    linalg.yield %x : f32
  }
  return
}

// The shape operand of a memref.reshape is read where the view is created.
// CHECK-LABEL: func.func @reads_a_shape
func.func @reads_a_shape(%in: memref<4xf32>, %out: memref<4x1xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: mem.arena "arena", 32
  %shape = memref.alloc() : memref<2xindex> loc("shape")
  memref.store %n, %shape[%c0] : memref<2xindex>
  memref.store %n, %shape[%c1] : memref<2xindex>
  // CHECK: mem.view %arena[16] {{.*}}name = "other"
  %other = memref.alloc() : memref<2xindex> loc("other")
  memref.store %n, %other[%c0] : memref<2xindex>
  %x = memref.load %other[%c0] : memref<2xindex>
  %r = memref.reshape %in(%shape) : (memref<4xf32>, memref<2xindex>) -> memref<4x1xf32>
  memref.copy %r, %out : memref<4x1xf32> to memref<4x1xf32>
  return
}

// A partially written result keeps its other old contents, so its buffer is live before
// the write. A buffer whose old contents are never read is free until the write.
// CHECK-LABEL: func.func @partly_written
func.func @partly_written(%v: f32, %out: memref<64xf32>, %diagonal: memref<8xf32>) {
  // CHECK: mem.arena "arena", 512
  %a = memref.alloc() : memref<8x8xf32> loc("a")
  linalg.fill ins(%v : f32) outs(%a : memref<8x8xf32>)
  %other = memref.alloc() : memref<64xf32> loc("other")
  linalg.fill ins(%v : f32) outs(%other : memref<64xf32>)
  memref.copy %other, %out : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]}
      ins(%diagonal : memref<8xf32>) outs(%a : memref<8x8xf32>) {
  ^bb0(%d: f32, %o: f32):
    linalg.yield %d : f32
  }
  %flat = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.copy %flat, %out : memref<64xf32> to memref<64xf32>
  return
}

// CHECK-LABEL: func.func @fully_written
func.func @fully_written(%v: f32, %out: memref<64xf32>) {
  // CHECK: mem.arena "arena", 256
  %other = memref.alloc() : memref<64xf32> loc("other")
  linalg.fill ins(%v : f32) outs(%other : memref<64xf32>)
  memref.copy %other, %out : memref<64xf32> to memref<64xf32>
  %a = memref.alloc() : memref<64xf32> loc("a")
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}
