// A `mem.buffer` whose address escapes cannot be planned and, unlike an allocation, cannot be left
// unplanned. This is an error at the buffer, with a note at the operation through which it escapes.
//
// RUN: mem-opt %s --pass-pipeline='builtin.module(mem-plan)' --verify-diagnostics --split-input-file

func.func private @unknown(memref<4xf32>)
func.func @passed() {
  // expected-error @+1 {{buffer 'a' cannot be planned: it is passed to @unknown, which may keep it}}
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  // expected-note @+1 {{by this 'func.call'}}
  call @unknown(%0) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @returned() -> memref<4xf32> {
  // expected-error @+1 {{buffer 'a' cannot be planned: its address is returned}}
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  // expected-note @+1 {{by this 'func.return'}}
  return %0 : memref<4xf32>
}

// -----

// Every escaping buffer is reported.
func.func @two(%c: i1) -> memref<4xf32> {
  // expected-error @+1 {{buffer 'a' cannot be planned: its address is returned}}
  %a = mem.buffer {name = "a"} : !mem.buffer<16>
  // expected-error @+1 {{buffer 'b' cannot be planned: its address is returned}}
  %b = mem.buffer {name = "b"} : !mem.buffer<16>
  %0 = mem.descriptor %a[0, 16] : !mem.buffer<16> -> memref<4xf32>
  %1 = mem.descriptor %b[0, 16] : !mem.buffer<16> -> memref<4xf32>
  %s = arith.select %c, %0, %1 : memref<4xf32>
  // expected-note @+1 {{by this 'func.return'}}
  return %s : memref<4xf32>
}
