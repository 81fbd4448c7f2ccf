//! The project's pipelines: annotated lists of passes. The comment before each pass states what
//! holds after it.

use crate::framework::{OptionKind, OptionSpec, OptionValues, PipelineSpec};

const STRATEGY: OptionSpec = OptionSpec {
    name: c"strategy",
    about: c"How addresses are found: auto, exact, first-fit, genetic, greedy-by-conflict, greedy-by-size, lifetime-queue, tightest-first",
    default: c"auto",
    kind: OptionKind::String,
};

const CAPACITY: OptionSpec = OptionSpec {
    name: c"capacity",
    about: c"Bytes available to the arena; default: the capacity of its level",
    default: c"-1",
    kind: OptionKind::Integer,
};

const ALIGNMENT: OptionSpec = OptionSpec {
    name: c"alignment",
    about: c"Minimum alignment of every buffer in bytes, a power of two up to 1 MiB",
    default: c"0",
    kind: OptionKind::Integer,
};

const OPTIMIZE: OptionSpec = OptionSpec {
    name: c"optimize",
    about: c"Whether to remove dead stores and unneeded copies and computations before planning",
    default: c"true",
    kind: OptionKind::Boolean,
};

const NOALIAS: OptionSpec = OptionSpec {
    name: c"noalias-arguments",
    about: c"Assert that no two arguments of a function share a byte",
    default: c"false",
    kind: OptionKind::Boolean,
};

const ARENA: OptionSpec = OptionSpec {
    name: c"arena",
    about: c"Arena of externally callable functions: inside, or argument (from their callers)",
    default: c"inside",
    kind: OptionKind::String,
};

const HIERARCHY: OptionSpec = OptionSpec {
    name: c"hierarchy",
    about: c"Plan for a memory hierarchy, given by name or file, with transfers between its levels; strategies are then those of mem-assign-levels, and the capacity is that of the fastest level",
    default: c"",
    kind: OptionKind::String,
};

const TRANSFERS: OptionSpec = OptionSpec {
    name: c"transfers",
    about:
        c"How transfers between levels are lowered: copy, dma or runtime (calls of the runtime library)",
    default: c"copy",
    kind: OptionKind::String,
};

const BUDGET: OptionSpec = OptionSpec {
    name: c"budget",
    about: c"Bytes of the hierarchy's device for the program's own tensors; others are copied to the host or recomputed (mem-offload); default: no budget",
    default: c"-1",
    kind: OptionKind::Integer,
};

const OPTIONS: &[OptionSpec] = &[
    STRATEGY, CAPACITY, ALIGNMENT, OPTIMIZE, NOALIAS, ARENA, HIERARCHY, BUDGET,
];

/// Options of pipelines that lower the dialect completely.
const LOWERING_OPTIONS: &[OptionSpec] = &[
    STRATEGY, CAPACITY, ALIGNMENT, OPTIMIZE, NOALIAS, ARENA, HIERARCHY, BUDGET, TRANSFERS,
];

/// Every pipeline.
pub(crate) static PIPELINES: &[PipelineSpec] = &[
    PipelineSpec {
        argument: c"mem-default-pipeline",
        summary: c"From bufferized MLIR to checked addresses",
        options: OPTIONS,
        build: |options| {
            let mut passes = to_addresses(options);
            passes.push(validate(options));
            join(&passes)
        },
    },
    PipelineSpec {
        argument: c"mem-to-memref-pipeline",
        summary: c"From bufferized MLIR to memref operations in planned arenas",
        options: LOWERING_OPTIONS,
        build: |options| join(&to_memref(options)),
    },
    PipelineSpec {
        argument: c"mem-to-llvm-pipeline",
        summary: c"From bufferized MLIR to the LLVM dialect, in planned arenas",
        options: LOWERING_OPTIONS,
        build: |options| {
            let mut passes = to_memref(options);
            passes.extend(lower_to_llvm());
            join(&passes)
        },
    },
];

fn join(passes: &[String]) -> String {
    passes.join(",")
}

/// The passes that precede address assignment for a hierarchy, with default options and under the
/// assumption that no two arguments share a byte.
pub(crate) fn before_addresses() -> String {
    let mut passes = vec!["mem-inline".to_owned()];
    passes.extend(to_buffers(true, "noalias-arguments=true"));
    join(&passes)
}

/// The passes that convert allocations to buffers and, if `optimize`, remove redundant accesses.
fn to_buffers(optimize: bool, noalias: &str) -> Vec<String> {
    let mut passes = Vec::new();
    // Reads of uninitialized bytes have been diagnosed.
    passes.push(format!("mem-check-reads{{{noalias}}}"));
    // Allocations whose address does not escape the function are buffers. All others are unchanged,
    // and each has been reported.
    passes.push("convert-memref-to-mem".to_owned());
    if optimize {
        // Values that were stored or copied are read from their original source.
        passes.push(format!("mem-forward-stores{{{noalias}}}"));
        // No read or computation is repeated while its operands are unchanged.
        passes.push(format!("mem-cse{{{noalias}}}"));
        // Dead stores are gone, including those whose readers were removed by the previous passes.
        passes.push(format!("mem-dead-store-elimination{{{noalias}}}"));
        // Values that were only copied elsewhere are computed at the destination, unless that takes
        // more memory.
        passes.push(format!("mem-remove-copies{{{noalias}}}"));
        // Stores that became dead because copies were removed are gone.
        passes.push(format!("mem-dead-store-elimination{{{noalias}}}"));
        // Independent contents of a buffer are separate buffers that need not be adjacent.
        passes.push(format!("mem-split-buffers{{{noalias}}}"));
    }
    passes
}

fn to_addresses(options: &OptionValues) -> Vec<String> {
    // Quotes in a value are replaced, so that the value cannot inject options of its own.
    let strategy = options.string(0).replace('"', "'");
    let arena = options.string(5).replace('"', "'");
    let hierarchy = options.string(6).replace('"', "'");
    let (capacity, alignment) = (options.integer(1), options.integer(2));
    let budget = options.integer(7);
    let noalias = format!("noalias-arguments={}", options.boolean(4));
    let mut passes = Vec::new();
    // A snapshot of the program has been recorded, for validation at the end.
    passes.push("mem-snapshot".to_owned());
    if !hierarchy.is_empty() {
        // Calls are inlined, because a callee has no level of its own but the slowest.
        passes.push("mem-inline".to_owned());
    }
    passes.extend(to_buffers(options.boolean(3), &noalias));
    // Every buffer has an address, and a checker that is independent of all strategies has accepted
    // the plan.
    passes.push(match hierarchy.is_empty() {
        true => format!(
            "mem-plan{{strategy=\"{strategy}\" capacity={capacity} alignment={alignment} arena=\"{arena}\"}}"
        ),
        false if budget != -1 => {
            format!("mem-offload{{hierarchy=\"{hierarchy}\" budget={budget} {noalias}}}")
        }
        false => format!(
            "mem-assign-levels{{hierarchy=\"{hierarchy}\" strategy=\"{strategy}\" capacity={capacity} \
             alignment={alignment} {noalias}}}"
        ),
    });
    // The addresses written to the IR have been verified as well.
    passes.push("mem-verify-plan".to_owned());
    passes
}

/// The program is equivalent to the program before the pipeline.
fn validate(options: &OptionValues) -> String {
    format!("mem-validate{{noalias-arguments={}}}", options.boolean(4))
}

fn to_memref(options: &OptionValues) -> Vec<String> {
    let mut passes = to_addresses(options);
    let transfers = options.string(8).replace('"', "'");
    let lowering = format!("convert-mem-to-memref{{transfers=\"{transfers}\"}}");
    // The dialect is lowered completely: one allocation per arena, and views of it. Except for
    // plain copies, transfers are validated before they become engine programs.
    match transfers == "copy" {
        true => passes.extend([lowering, validate(options)]),
        false => passes.extend([validate(options), lowering]),
    }
    passes
}

/// The passes that lower memref and linalg on buffers to the LLVM dialect. `mem-run` compiles both
/// the original and the planned program with them.
pub(crate) fn lower_to_llvm() -> Vec<String> {
    [
        // Linear algebra is loops. This precedes the flattening of control flow, because an
        // `scf.if` inside a `linalg.generic` cannot be flattened.
        "func.func(convert-linalg-to-loops)",
        // Views are arithmetic on offsets, sizes and strides. Upstream's pass crashes on some of
        // them, which are lowered before.
        "mem-lower-expand-shape",
        "expand-strided-metadata",
        "lower-affine",
        // Control flow is branches between blocks.
        "convert-scf-to-cf",
        // Address arithmetic introduced by the loops is expanded.
        "expand-strided-metadata",
        "lower-affine",
        // Everything is in the LLVM dialect.
        "func.func(llvm-request-c-wrappers)",
        "convert-math-to-llvm",
        "convert-math-to-libm",
        "finalize-memref-to-llvm",
        "convert-arith-to-llvm",
        "convert-index-to-llvm",
        "convert-cf-to-llvm",
        "convert-func-to-llvm",
        "reconcile-unrealized-casts",
    ]
    .map(str::to_owned)
    .to_vec()
}
