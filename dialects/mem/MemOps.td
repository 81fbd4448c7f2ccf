//===- MemOps.td - operations of the mem dialect ----------------*- tablegen -*-===//
//
// Two groups of operations: those of a program before planning (buffers, descriptors, kernels) and
// after planning (arenas, views, transfers). Every TableGen backend runs on this file.
//
//===--------------------------------------------------------------------------===//

#ifndef MEM_OPS_TD
#define MEM_OPS_TD

include "MemAttrs.td"
include "MemTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Mem_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mem_Dialect, mnemonic, traits>;

//===--------------------------------------------------------------------------===//
// Before planning
//===--------------------------------------------------------------------------===//

def Mem_BufferOp : Mem_Op<"buffer", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "create a buffer, storage without an address";
  let description = [{
    The storage of one tensor. Each execution yields a new buffer with undefined contents. The
    lifetime of a buffer extends from the first definition of any of its bytes to the last use;
    buffers are not freed explicitly. If the type of the buffer does not specify the size, the
    operand does.

    `alignment` is the alignment required of the address in addition to that of the level. `role` is
    the role of the buffer in the program. `name` identifies the buffer in plans, pictures and
    diagnostics.

    Example:

    ```mlir
    %a = mem.buffer {name = "a"} : !mem.buffer<128>
    %w = mem.buffer {name = "w", alignment = 64, role = #mem.role<constant>} : !mem.buffer<4096>
    %x = mem.buffer[%bytes] {name = "x"} : !mem.buffer<?>
    ```
  }];
  let arguments = (ins
    Optional<Index>:$dynamic_size,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<Mem_AlignmentAttr>:$alignment,
    OptionalAttr<Mem_RoleAttr>:$role);
  let results = (outs Res<Mem_BufferType, "the storage", [MemAlloc]>:$result);
  let assemblyFormat = [{
    (`` `[` $dynamic_size^ `]`)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Mem_DescriptorOp : Mem_Op<"descriptor", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "view a byte interval of a buffer as a memref";
  let description = [{
    The descriptor (buffer, offset, size) denotes the bytes `[offset, offset + size)` of the buffer.
    A descriptor is *exact* if both offset and size are constants, and *inexact* otherwise. The
    result is an ordinary memref: element `[0, ..., 0]` lies at byte `offset` of the buffer, and all
    elements lie within the interval.

    The layout of the memref is the identity or strided, without negative strides. If the layout has
    a static offset of `o` elements, the aligned pointer of the memref is `o` elements before byte
    `offset`; the aligned pointer must not precede the start of the buffer.

    Constant operands for `offset` and `size` are folded into the operation, which may make the
    descriptor exact.

    Example:

    ```mlir
    %v = mem.descriptor %a[0, 128] : !mem.buffer<128> -> memref<32xf32>
    %w = mem.descriptor %a[32, %n] : !mem.buffer<128> -> memref<?xf32>
    %r = mem.descriptor %a[16, 112] : !mem.buffer<128>
        -> memref<4x4xf32, strided<[8, 1], offset: 4>>
    ```
  }];
  let arguments = (ins
    Mem_BufferType:$buffer,
    Variadic<Index>:$bounds,
    DenseI64ArrayAttr:$static_bounds);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $buffer `` custom<DynamicIndexList>($bounds, $static_bounds) attr-dict
    `:` qualified(type($buffer)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The offset in bytes, if constant.
    std::optional<int64_t> getStaticOffset();
    /// The size in bytes, if constant.
    std::optional<int64_t> getStaticSize();
    /// Whether both offset and size are constants.
    bool isExact() { return getBounds().empty(); }
  }];
}

def Mem_KernelOp : Mem_Op<"kernel", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "run opaque compute with declared memory effects";
  let description = [{
    One step of a program whose compute is opaque to MLIR. A kernel accesses only its operands. The
    following clauses are optional and may appear in any order:

    * `uses`: operands of which the kernel reads every byte;
    * `defines`: operands of which the kernel writes every byte;
    * `may_uses`, `may_defines`: operands of which the kernel reads or writes some bytes, or none;
    * `workspace`: scratch memory, undefined before and after the kernel;
    * `in_place [...]`: positions in `uses` of operands whose bytes the results may reuse; the
      kernel reads such an operand before overwriting it;
    * `disjoint`: asserts that no two operands share a byte. Descriptors of the same buffer with
      overlapping constant intervals violate the assertion and are an error;
    * `if`: the kernel runs only if the predicate holds, so its definitions are conditional.

    `cycles` is the duration of the kernel, and `core` is the number of the core that runs it. All
    uses precede all definitions. A kernel that writes nothing has no effect and can be removed.

    Kernels on the same core run in program order, and so do all operations that do not specify a
    core. Across cores, an operation waits for another operation of its block only if both
    operations are certain to access a common byte and at least one of them writes it, or if the
    operation waits for the token of the other. Control leaves a block only after every operation
    started in the block has completed.

    Example:

    ```mlir
    mem.kernel "conv1" uses(%v, %w : memref<32xf32>, memref<9xf32>)
                       defines(%o : memref<32xf32>)
                       workspace(%t : memref<64xi8>) in_place [0] if %p {core = 0, cycles = 900}
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    Variadic<AnyMemRef>:$uses,
    Variadic<AnyMemRef>:$defines,
    Variadic<AnyMemRef>:$may_uses,
    Variadic<AnyMemRef>:$may_defines,
    Variadic<AnyMemRef>:$workspace,
    Optional<I1>:$predicate,
    OptionalAttr<DenseI64ArrayAttr>:$in_place,
    UnitAttr:$disjoint,
    OptionalAttr<Mem_CyclesAttr>:$cycles,
    OptionalAttr<Mem_CoreAttr>:$core);
  let assemblyFormat = [{
    $name oilist(
        `uses` `(` $uses `:` type($uses) `)`
      | `defines` `(` $defines `:` type($defines) `)`
      | `may_uses` `(` $may_uses `:` type($may_uses) `)`
      | `may_defines` `(` $may_defines `:` type($may_defines) `)`
      | `workspace` `(` $workspace `:` type($workspace) `)`
      | `in_place` custom<Positions>($in_place)
      | `disjoint` $disjoint
      | `if` $predicate
    ) attr-dict
  }];
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// After planning
//===--------------------------------------------------------------------------===//

def Mem_ArenaOp : Mem_Op<"arena", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "reserve the memory that a plan uses in one level";
  let description = [{
    Contiguous memory of `size` bytes in the named level. The size is the peak of the plan: the
    highest address used. `strategy` names the strategy that produced the plan. `proven_bound` is a
    proven lower bound on the size of every plan; it is given only if it exceeds the peak number of
    live bytes. A size that depends on sizes known only at run time is an operand.

    Example:

    ```mlir
    %sram = mem.arena "sram", 5120 {alignment = 64} : !mem.arena
    %dram = mem.arena "dram", %bytes : !mem.arena
    ```
  }];
  let arguments = (ins
    StrAttr:$level,
    OptionalAttr<Mem_BytesAttr>:$size,
    Optional<Index>:$dynamic_size,
    OptionalAttr<Mem_AlignmentAttr>:$alignment,
    OptionalAttr<StrAttr>:$strategy,
    OptionalAttr<Mem_BytesAttr>:$proven_bound);
  let results = (outs Res<Mem_ArenaType, "the memory", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $level `,` custom<Bytes>($size, $dynamic_size) attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Mem_ViewOp : Mem_Op<"view", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "place a buffer or a memref in an arena";
  let description = [{
    A buffer or a memref that starts at byte `offset` of the arena. The descriptors of a buffer keep
    their offsets from the unplanned program. For a memref, element `[0, ..., 0]` lies at byte
    `offset`; the memref has a static shape and static, non-negative strides. Views overlap where
    the plan lets tensors with disjoint lifetimes share bytes.

    `name`, `alignment` and `role` are those of the placed buffer.

    An offset that depends on sizes known only at run time is an operand. The size of a buffer whose
    type does not specify it is an operand as well, after the offset.

    Example:

    ```mlir
    %a = mem.view %arena[2048] {name = "a"} : !mem.arena -> !mem.buffer<128>
    %x = mem.view %arena[2048] : !mem.arena -> memref<32xf32, #mem.space<"sram">>
    %b = mem.view %arena[%offset, %bytes] {name = "b"} : !mem.arena -> !mem.buffer<?>
    ```
  }];
  let arguments = (ins
    Mem_ArenaType:$arena,
    OptionalAttr<Mem_BytesAttr>:$offset,
    Variadic<Index>:$bounds,
    OptionalAttr<StrAttr>:$name,
    OptionalAttr<Mem_AlignmentAttr>:$alignment,
    OptionalAttr<Mem_RoleAttr>:$role);
  let results = (outs AnyTypeOf<[Mem_BufferType, AnyMemRef]>:$result);
  let assemblyFormat = [{
    $arena `` `[` custom<Bounds>($offset, $bounds) `]` attr-dict
    `:` qualified(type($arena)) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The offset in bytes, if known only at run time.
    ::mlir::Value getDynamicOffset() { return getOffset() ? ::mlir::Value() : getBounds()[0]; }
  }];
}

def Mem_SliceOp : Mem_Op<"slice", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "take a part of an arena as an arena";
  let description = [{
    The bytes `[offset, offset + size)` of the arena, for example the part that a callee may use as
    its own arena. An offset that depends on sizes known only at run time is an operand.

    Example:

    ```mlir
    %sub = mem.slice %arena[4096, 1024] : !mem.arena -> !mem.arena
    func.call @layer(%x, %sub) : (memref<32xf32>, !mem.arena) -> ()
    ```
  }];
  let arguments = (ins
    Mem_ArenaType:$arena,
    OptionalAttr<Mem_BytesAttr>:$offset,
    Optional<Index>:$dynamic_offset,
    Mem_BytesAttr:$size);
  let results = (outs Mem_ArenaType:$result);
  let assemblyFormat = [{
    $arena `` `[` custom<Bytes>($offset, $dynamic_offset) `,` $size `]` attr-dict
    `:` qualified(type($arena)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Mem_RotateOp : Mem_Op<"rotate", [
    Pure, AttrSizedOperandSegments,
    TypesMatchWith<"all slots have the type of the result", "result", "slots", "$_self",
                   "[](::mlir::Type type, ::mlir::TypeRange slots) { "
                   "return ::llvm::all_of(slots, [&](::mlir::Type t) { return t == type; }); }">]> {
  let summary = "select the first slot that is not in use";
  let description = [{
    Yields the first slot whose bytes none of the `avoiding` memrefs points into. A loop uses the
    operation to alternate between slots if it rewrites a tensor while the instance of the previous
    iteration is still being read; both instances keep distinct storage. With at least one more slot
    than memrefs to avoid, a free slot always exists.

    Each memref to avoid points into at most one slot. The operation compares only pointers and
    accesses no memory.

    Example:

    ```mlir
    scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<32xf32>) {
      %slot = mem.rotate(%a, %b) avoiding(%old : memref<32xf32>) : !mem.buffer<128>
      %new = mem.descriptor %slot[0, 128] : !mem.buffer<128> -> memref<32xf32>
      mem.kernel "step" uses(%old : memref<32xf32>) defines(%new : memref<32xf32>)
      scf.yield %new : memref<32xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Mem_BufferType>:$slots, Variadic<AnyMemRef>:$avoiding);
  let results = (outs Mem_BufferType:$result);
  let assemblyFormat = [{
    `` `(` $slots `)` (`avoiding` `(` $avoiding^ `:` type($avoiding) `)`)?
    attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

// A transfer copies the elements of a memref from one placement to another. The four transfers
// differ in the levels that they connect and in the state of the source after the transfer.
// mem-verify-plan checks the levels, because the verifier does not know what is a plan.
class Mem_TransferOp<string mnemonic, string fate, string example> : Mem_Op<mnemonic> {
  let description = fate # [{
    Source and target have the same element type and the same static shape; their layouts may
    differ, and their bytes do not overlap. In a plan, the levels of both are as stated above; in a
    program that is still to be planned, a transfer may connect any two tensors. With `async`, the operation only starts the transfer and
    yields a token: the bytes may be accessed until a `mem.wait` on the token.

    Example:

    ```mlir}] # example # [{    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "source of the elements", [MemReadAt<0, FullEffect>]>:$source,
    Arg<AnyMemRef, "target of the elements", [MemWriteAt<1, FullEffect>]>:$target);
  let results = (outs Optional<Mem_TokenType>:$token);
  let assemblyFormat = [{
    `` custom<Async>(type($token)) $source `to` $target attr-dict
    `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the transfer stays in flight until a wait on its token.
    bool isAsync() { return static_cast<bool>(getToken()); }
  }];
}

def Mem_LoadOp : Mem_TransferOp<"load", [{
    The source stays valid.
}], [{
    mem.load %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
    %t = mem.load async %home to %x : memref<32xf32> to memref<32xf32, #mem.space<"sram">>
}]> {
  let summary = "copy from a slower level to a faster one";
}

def Mem_StoreOp : Mem_TransferOp<"store", [{
    The source stays valid.
}], [{
    mem.store %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
    %t = mem.store async %x to %home : memref<32xf32, #mem.space<"sram">> to memref<32xf32>
}]> {
  let summary = "copy from a faster level to a slower one";
}

def Mem_SwapOp : Mem_TransferOp<"swap", [{
    The target replaces the source. The bytes of the source are dead after the transfer: their
    contents are undefined, and the plan may assign the bytes to another buffer.
}], [{
    mem.swap %x to %slot : memref<4xf32, #mem.space<"sram">> to memref<4xf32, #mem.space<"dram">>
    %t = mem.swap async %x to %home : memref<4xf32, #mem.space<"sram">> to memref<4xf32>
}]> {
  let summary = "move live data to another level";
}

def Mem_MoveOp : Mem_TransferOp<"move", [{
    The target replaces the source. The bytes of the source are dead after the transfer: their
    contents are undefined, and the plan may assign the bytes to another buffer. Source and target
    are in the same memory space.
}], [{
    mem.move %x to %y : memref<4xf32, #mem.space<"sram">> to memref<4xf32, #mem.space<"sram">>
}]> {
  let summary = "move live data within one level";
}

def Mem_WaitOp : Mem_Op<"wait", [MemoryEffects<[MemWrite]>]> {
  let summary = "wait for asynchronous transfers to complete";
  let description = [{
    Waits for the transfers of all tokens to complete. Afterwards, the targets of the transfers hold
    the data, and the sources may be overwritten.

    Example:

    ```mlir
    mem.wait %t, %u
    ```
  }];
  let arguments = (ins Variadic<Mem_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

#endif // MEM_OPS_TD
