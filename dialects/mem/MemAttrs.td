//===- MemAttrs.td - attributes of the mem dialect --------------*- tablegen -*-===//
//
// Roles, memory spaces and the memory hierarchy, and the constraints that several
// operations put on their attributes.
//
//===--------------------------------------------------------------------------===//

#ifndef MEM_ATTRS_TD
#define MEM_ATTRS_TD

include "MemDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"

//===--------------------------------------------------------------------------===//
// Constraints
//===--------------------------------------------------------------------------===//

def Mem_BytesAttr : ConfinedAttr<I64Attr, [IntNonNegative]> {
  let summary = "a number of bytes that is not negative";
}

def Mem_AlignmentAttr : ConfinedAttr<I64Attr, [IntPowerOf2, IntMaxValue<1048576>]> {
  let summary = "an alignment: a power of two of at most 1048576 bytes";
}

def Mem_CyclesAttr : ConfinedAttr<I64Attr, [IntNonNegative]> {
  let summary = "a number of cycles that is not negative";
}

def Mem_CoreAttr : ConfinedAttr<I64Attr, [IntNonNegative]> {
  let summary = "the number of a core, counted from 0";
}

//===--------------------------------------------------------------------------===//
// Roles
//===--------------------------------------------------------------------------===//

def Mem_Role : I32EnumAttr<"Role", "What a buffer is to its program", [
    I32EnumAttrCase<"Input", 0, "input">,
    I32EnumAttrCase<"Output", 1, "output">,
    I32EnumAttrCase<"Constant", 2, "constant">,
    I32EnumAttrCase<"Intermediate", 3, "intermediate">]> {
  let cppNamespace = "::mlir::mem";
  let genSpecializedAttr = 0;
}

class Mem_Attr<string name, string attrMnemonic>
    : AttrDef<Mem_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Mem_RoleAttr : EnumAttr<Mem_Dialect, Mem_Role, "role"> {
  let summary = "what a buffer is to its program";
  let description = [{
    * `input`: defined before the program starts;
    * `output`: used after the program ends;
    * `constant`: defined before the program starts, never written, the same in every
      run, so never written back to a slower level;
    * `intermediate`: defined and dead inside the program. A buffer without a role is one.

    Example:

    ```mlir
    %w = mem.buffer {name = "weights", role = #mem.role<constant>} : !mem.buffer<4096>
    func.func private @main(memref<32xf32> {mem.role = #mem.role<input>})
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

//===--------------------------------------------------------------------------===//
// The memory hierarchy
//===--------------------------------------------------------------------------===//

def Mem_SpaceAttr : Mem_Attr<"Space", "space"> {
  let summary = "the memory space of one level of the hierarchy";
  let description = [{
    As the memory space of a memref, it says in which level the memref's bytes live. The
    level is named, not numbered: the name is that of a level in the `mem.hierarchy` of
    the module. A memref without a memory space may live anywhere.

    Example:

    ```mlir
    memref<32xf32, #mem.space<"sram">>
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the level">:$level);
  let assemblyFormat = "`<` $level `>`";
  let genVerifyDecl = 1;
}

def Mem_CostAttr : Mem_Attr<"Cost", "cost"> {
  let summary = "what reading or writing a level costs";
  let description = [{
    Reading, or writing, `d` bytes takes `latency + d / bandwidth` cycles. The latency is
    in cycles and not negative; the bandwidth is in bytes per cycle, finite and positive.
    A `#mem.level` shows its costs without the prefix, as `(latency = 20, bandwidth = 64.0)`.

    Example:

    ```mlir
    #mem.cost<latency = 20, bandwidth = 64.0>
    ```
  }];
  let parameters = (ins
    AttrOrTypeParameter<"int64_t", "cycles">:$latency,
    AttrParameter<"::mlir::FloatAttr", "bytes per cycle, as an f64">:$bandwidth);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_LevelAttr : Mem_Attr<"Level", "level"> {
  let summary = "one memory of the hierarchy";
  let description = [{
    A level has a name and, each of them optional and in any order:

    * `capacity`: its size in bytes; unbounded if absent;
    * `alignment`: the alignment in bytes that every address in it must have, a power of
      two of at most 1 MiB; 1 if absent;
    * `read`, `write`: the cost of reading and of writing it, a latency in cycles and a
      bandwidth in bytes per cycle; free if absent.

    Example:

    ```mlir
    #mem.level<"sram", capacity = 1048576, alignment = 64,
               read = (latency = 20, bandwidth = 64.0),
               write = (latency = 20, bandwidth = 64.0)>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name that memory spaces and arenas refer to">:$name,
    OptionalParameter<"std::optional<int64_t>", "size in bytes">:$capacity,
    OptionalParameter<"std::optional<int64_t>", "alignment in bytes">:$alignment,
    OptionalParameter<"::mlir::mem::CostAttr", "cost of reading">:$read,
    OptionalParameter<"::mlir::mem::CostAttr", "cost of writing">:$write);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_EngineAttr : Mem_Attr<"Engine", "engine"> {
  let summary = "something that copies between levels";
  let description = [{
    A copy engine: a DMA channel, say. It runs alongside the compute, one copy after the other,
    between the pairs of levels that are listed. What a copy costs is what reading the one level
    and writing the other costs.

    Example:

    ```mlir
    #mem.engine<"dma", "dram" to "sram", "sram" to "dram">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name, for people">:$name,
    ArrayRefParameter<"::mlir::StringAttr", "levels that it reads">:$sources,
    ArrayRefParameter<"::mlir::StringAttr", "levels that it writes, one for each">:$targets);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_OperandAttr : Mem_Attr<"Operand", "operand"> {
  let summary = "the levels in which an operation accepts an operand";
  let description = [{
    Operations of that name, or kernels with that name, accept the operand of that number only in the
    levels that are listed.

    Example:

    ```mlir
    #mem.operand<"linalg.matmul", 1, "sram", "dram">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the operation or of the kernel">:$operation,
    AttrOrTypeParameter<"int64_t", "number of the operand, from 0">:$index,
    ArrayRefParameter<"::mlir::StringAttr", "levels">:$levels);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_HierarchyAttr : Mem_Attr<"Hierarchy", "hierarchy"> {
  let summary = "the levels of the memory hierarchy, the fastest first";
  let description = [{
    A list of at least one level; their names are unique. Level 0 is the fastest, the last
    one is where arguments and constants live unless their memory space says otherwise. Behind the
    levels come, each of them optional and in any order:

    * `engines`: what copies between levels. Without any, the processor copies between all of them, and
      waits; with some, only what they connect is copied;
    * `operands`: which operands operations accept only in some levels;
    * `compute`: arithmetic operations per cycle;
    * `preloaded`: constants are in the level in which they are first used when the program starts, so that
      their first load costs nothing.

    Example:

    ```mlir
    module attributes {mem.hierarchy = #mem.hierarchy<
        #mem.level<"sram", capacity = 1048576, alignment = 64>,
        #mem.level<"dram", alignment = 64>,
        engines = [#mem.engine<"dma", "dram" to "sram", "sram" to "dram">], compute = 512.0>} {
    }
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::mem::LevelAttr", "fastest first">:$levels,
    OptionalArrayRefParameter<"::mlir::mem::EngineAttr", "what copies">:$engines,
    OptionalArrayRefParameter<"::mlir::mem::OperandAttr", "where operands are accepted">:$operands,
    OptionalParameter<"::mlir::FloatAttr", "arithmetic operations per cycle, as an f64">:$compute,
    DefaultValuedParameter<"bool", "false", "whether constants are where they are needed">:$preloaded);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // MEM_ATTRS_TD
