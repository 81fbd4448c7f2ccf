//===- MemAttrs.td - attributes of the mem dialect --------------*- tablegen -*-===//
//
// Roles, memory spaces and the memory hierarchy, and the attribute constraints shared by several
// operations.
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

def Mem_Role : I32EnumAttr<"Role", "Role of a buffer in its program", [
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
  let summary = "role of a buffer in its program";
  let description = [{
    * `input`: defined before the program starts;
    * `output`: used after the program ends;
    * `constant`: defined before the program starts, never written, and identical in every run;
      hence never written back to a slower level;
    * `intermediate`: defined inside the program and dead before it ends. This is the default for
      buffers without a role.

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
  let summary = "memory space of one level of the hierarchy";
  let description = [{
    The memory space of a memref specifies the level that holds the bytes of the memref. Levels are
    identified by name, not by number: the name refers to a level in the `mem.hierarchy` of the
    module. A memref without a memory space may reside in any level.

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
  let summary = "cost of reading or writing a level";
  let description = [{
    Reading or writing `d` bytes takes `latency + d / bandwidth` cycles. The latency is in cycles
    and non-negative; the bandwidth is in bytes per cycle, finite and positive. A `#mem.level`
    prints its costs without the prefix, as `(latency = 20, bandwidth = 64.0)`.

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
  let summary = "one level of the memory hierarchy";
  let description = [{
    A level has a name and the following optional properties, in any order:

    * `capacity`: size of the level in bytes; unbounded if absent;
    * `alignment`: required alignment in bytes of every address in the level, a power of two of at
      most 1 MiB; 1 if absent;
    * `read`, `write`: cost of reading and of writing the level, a latency in cycles and a bandwidth
      in bytes per cycle; free if absent;
    * `space`: address space of the level, the memory space of every memref that resides in it: an
      integer, `#mem.space<...>` with the name of the level, or an attribute of another dialect; the
      default memory space if absent.

    Example:

    ```mlir
    #mem.level<"sram", capacity = 1048576, alignment = 64,
               read = (latency = 20, bandwidth = 64.0),
               write = (latency = 20, bandwidth = 64.0), space = 1>
    #mem.level<"lds", capacity = 65536, space = #gpu.address_space<workgroup>>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name used by memory spaces and arenas">:$name,
    OptionalParameter<"std::optional<int64_t>", "size in bytes">:$capacity,
    OptionalParameter<"std::optional<int64_t>", "alignment in bytes">:$alignment,
    OptionalParameter<"::mlir::mem::CostAttr", "cost of reading">:$read,
    OptionalParameter<"::mlir::mem::CostAttr", "cost of writing">:$write,
    OptionalParameter<"::mlir::Attribute", "memory space of memrefs in the level">:$space);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_EngineAttr : Mem_Attr<"Engine", "engine"> {
  let summary = "copy engine between levels";
  let description = [{
    A copy engine, such as a DMA channel. The engine runs concurrently with compute, performs one
    copy at a time, and copies only between the listed pairs of levels. The cost of a copy is the
    cost of reading the source level plus the cost of writing the target level.

    Example:

    ```mlir
    #mem.engine<"dma", "dram" to "sram", "sram" to "dram">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"human-readable name">:$name,
    ArrayRefParameter<"::mlir::StringAttr", "source levels">:$sources,
    ArrayRefParameter<"::mlir::StringAttr", "target levels, one for each source">:$targets);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_OperandAttr : Mem_Attr<"Operand", "operand"> {
  let summary = "levels in which an operation accepts an operand";
  let description = [{
    Operations or kernels with the given name accept the operand with the given index only in the
    listed levels.

    Example:

    ```mlir
    #mem.operand<"linalg.matmul", 1, "sram", "dram">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the operation or of the kernel">:$operation,
    AttrOrTypeParameter<"int64_t", "index of the operand, from 0">:$index,
    ArrayRefParameter<"::mlir::StringAttr", "accepted levels">:$levels);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_LinkAttr : Mem_Attr<"Link", "link"> {
  let summary = "link between the ranks of a program";
  let description = [{
    A link carries messages one after the other, beside computation, copies and the messages of other
    links. A message occupies the link for its latency in cycles plus its bytes divided by the
    bandwidth in bytes per cycle. A link that is `duplex` carries one message in each direction at the
    same time: what the rank sends, and what it receives. A collective needs both directions.

    Example:

    ```mlir
    #mem.link<"network", latency = 10000, bandwidth = 25.0, duplex>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name for routes and reports">:$name,
    AttrParameter<"::mlir::mem::CostAttr", "cost of a message">:$cost,
    DefaultValuedParameter<"bool", "false", "whether each direction is an engine">:$duplex);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_RouteAttr : Mem_Attr<"Route", "route"> {
  let summary = "messages that travel over a link";
  let description = [{
    Messages for which all conditions hold travel over the link, unless an earlier route carries them.
    A condition has to hold on each rank that starts the message. Ranks are those of the whole program,
    whatever the communicator of the message is. A route without conditions carries all messages that
    no other route carries.

    * `send`, `receive`, `collective`: the kind of the message;
    * `node = N`: the ends are in one node, if ranks are divided into nodes of `N`, in order;
    * `distances = [...]`: the other rank is farther by one of these numbers, modulo the number of
      ranks;
    * `peers = [...]`: the other rank is one of these;
    * `axes = [...]`: the coordinates of the ends in the grid of ranks differ along these axes only.

    The ends of a collective are all ranks that take part. It has neither a distance nor a peer. What
    is not a function of the rank that can be evaluated fulfils no condition about ranks.

    Example:

    ```mlir
    #mem.route<"inside", node = 8>
    #mem.route<"ring", send, distances = [1]>
    #mem.route<"tree", collective, axes = [0]>
    #mem.route<"network">
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the link">:$link,
    StringRefParameter<"kind of the messages; empty: any">:$kind,
    OptionalParameter<"std::optional<int64_t>", "ranks of a node">:$node,
    OptionalArrayRefParameter<"int64_t", "distances of the other rank">:$distances,
    OptionalArrayRefParameter<"int64_t", "other ranks">:$peers,
    OptionalArrayRefParameter<"int64_t", "axes of the grid of ranks">:$axes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mem_HierarchyAttr : Mem_Attr<"Hierarchy", "hierarchy"> {
  let summary = "levels of the memory hierarchy, fastest first";
  let description = [{
    A non-empty list of levels with unique names. Level 0 is the fastest level. The last level holds
    the arguments and constants whose memory space does not specify another level. The following
    optional properties may come after the levels, in any order:

    * `engines`: copy engines. Without engines, the processor copies between any two levels,
      synchronously; with engines, copies are possible only between the levels that they connect;
    * `operands`: operands that operations accept only in certain levels;
    * `compute`: arithmetic operations per cycle;
    * `preloaded`: when the program starts, each constant already resides in the level of its first
      use, so the first load of a constant is free;
    * `generic`: a memory space that every other one can be cast to. A value that may be in one of
      several levels, such as the result of a `select`, has this space; `0` is the default memory
      space;
    * `link`: cost of a message to another rank of a program on several ranks, a latency in cycles
      and a bandwidth in bytes per cycle. Messages travel beside computation, one after the other;
      free if absent;
    * `links`: several links between ranks instead, which carry messages at the same time;
    * `routes`: which messages travel over which link: the first route whose conditions hold, and
      one without conditions for all others. With one link, routes may be absent;
    * `ranks`: the shape of the grid of ranks, whose last axis varies fastest. Routes by node,
      distance and axis need it.

    Example:

    ```mlir
    module attributes {mem.hierarchy = #mem.hierarchy<
        #mem.level<"sram", capacity = 1048576, alignment = 64>,
        #mem.level<"dram", alignment = 64>,
        engines = [#mem.engine<"dma", "dram" to "sram", "sram" to "dram">], compute = 512.0>} {
    }
    module attributes {mem.hierarchy = #mem.hierarchy<
        #mem.level<"hbm">, ranks = [4, 8],
        links = [#mem.link<"inside", latency = 5000, bandwidth = 240.0, duplex>,
                 #mem.link<"network", latency = 10000, bandwidth = 25.0>],
        routes = [#mem.route<"inside", node = 8>, #mem.route<"network">]>} {
    }
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::mem::LevelAttr", "levels, fastest first">:$levels,
    OptionalArrayRefParameter<"::mlir::mem::EngineAttr", "copy engines">:$engines,
    OptionalArrayRefParameter<"::mlir::mem::OperandAttr", "accepted levels of operands">:$operands,
    OptionalParameter<"::mlir::FloatAttr", "arithmetic operations per cycle, as an f64">:$compute,
    DefaultValuedParameter<"bool", "false", "whether constants are preloaded">:$preloaded,
    OptionalParameter<"::mlir::Attribute", "memory space of pointers into any level">:$generic,
    OptionalParameter<"::mlir::mem::CostAttr", "cost of messages between ranks">:$link,
    OptionalArrayRefParameter<"::mlir::mem::LinkAttr", "links between ranks">:$links,
    OptionalArrayRefParameter<"::mlir::mem::RouteAttr", "messages of each link">:$routes,
    OptionalArrayRefParameter<"int64_t", "shape of the grid of ranks">:$ranks);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // MEM_ATTRS_TD
