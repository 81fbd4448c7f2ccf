//! The project's pipelines: narrated lists of passes. The comment before each pass says what holds
//! after it.

use crate::registry::{OptionKind, OptionSpec, OptionValues, PipelineSpec};

const STRATEGY: OptionSpec = OptionSpec {
    name: c"strategy",
    about: c"How addresses are found: lifetime-queue",
    default: c"lifetime-queue",
    kind: OptionKind::String,
};

const CAPACITY: OptionSpec = OptionSpec {
    name: c"capacity",
    about: c"Bytes the arena may have, if fewer than its level has; default: all of them",
    default: c"-1",
    kind: OptionKind::Integer,
};

const ALIGNMENT: OptionSpec = OptionSpec {
    name: c"alignment",
    about: c"Least alignment of every buffer in bytes, a power of two up to 1 MiB",
    default: c"0",
    kind: OptionKind::Integer,
};

const OPTIONS: &[OptionSpec] = &[STRATEGY, CAPACITY, ALIGNMENT];

/// Every pipeline.
pub(crate) static PIPELINES: &[PipelineSpec] = &[
    PipelineSpec {
        argument: c"mem-default-pipeline",
        summary: c"From bufferized MLIR to checked addresses",
        options: OPTIONS,
        build: |options| join(&to_addresses(options)),
    },
    PipelineSpec {
        argument: c"mem-to-memref-pipeline",
        summary: c"From bufferized MLIR to memref operations in planned arenas",
        options: OPTIONS,
        build: |options| join(&to_memref(options)),
    },
    PipelineSpec {
        argument: c"mem-to-llvm-pipeline",
        summary: c"From bufferized MLIR to the LLVM dialect, in planned arenas",
        options: OPTIONS,
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

fn to_addresses(options: &OptionValues) -> Vec<String> {
    // Quoted, so that it cannot bring options of its own.
    let strategy = options.string(0).replace('"', "'");
    let (capacity, alignment) = (options.integer(1), options.integer(2));
    vec![
        // Allocations whose address stays in the function are buffers; what could not be converted
        // is unchanged and reported.
        "convert-memref-to-mem".to_owned(),
        // Every buffer has an address, and a checker that knows no strategy has accepted the plan.
        format!("mem-plan{{strategy=\"{strategy}\" capacity={capacity} alignment={alignment}}}"),
    ]
}

fn to_memref(options: &OptionValues) -> Vec<String> {
    let mut passes = to_addresses(options);
    // Nothing of the dialect is left: one allocation an arena, and views of it.
    passes.push("convert-mem-to-memref".to_owned());
    passes
}

/// From memref and linalg on buffers to the LLVM dialect, as `mem-run` compiles both the original
/// and the planned program.
pub(crate) fn lower_to_llvm() -> Vec<String> {
    [
        // Linear algebra is loops. Before control flow is flattened: an `scf.if` inside a
        // `linalg.generic` cannot be.
        "func.func(convert-linalg-to-loops)",
        // Views are arithmetic on offsets, sizes and strides.
        "expand-strided-metadata",
        "lower-affine",
        // Control flow is branches between blocks.
        "convert-scf-to-cf",
        // Loops may have brought new address arithmetic.
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
