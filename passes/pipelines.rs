//! The project's pipelines: annotated lists of passes. The comment before each pass states what
//! holds after it.

use std::path::Path;

use crate::framework::options::{
    BufferizationOptions, LoweringOptions, PlanningOptions, ShardingOptions,
};

/// `mem-from-linalg-pipeline`.
pub(crate) fn mem_from_linalg_pipeline(options: &BufferizationOptions) -> String {
    // Functions are on memrefs. The passes that do it have to skip functions without tensors, so
    // they are a pass of their own.
    format!("mem-bufferize{{keep-arguments={}}}", options.keep_arguments)
}

/// `mem-default-pipeline`.
pub(crate) fn mem_default_pipeline(options: &PlanningOptions) -> String {
    let mut passes = to_addresses(options);
    passes.push(validate(options));
    join(&passes)
}

/// `mem-to-memref-pipeline`.
pub(crate) fn mem_to_memref_pipeline(
    options: &PlanningOptions,
    lowering: &LoweringOptions,
) -> String {
    let spaces: &[&str] = match options.spaces.as_str() {
        "none" => &["mem-erase-spaces{named-only=true}"],
        _ => &[],
    };
    join(&to_memref(options, lowering, spaces))
}

/// `mem-to-llvm-pipeline`.
pub(crate) fn mem_to_llvm_pipeline(
    options: &PlanningOptions,
    lowering: &LoweringOptions,
) -> String {
    // Address spaces are integers in LLVM.
    let mut passes = to_memref(options, lowering, &["mem-number-spaces"]);
    passes.extend(lower_to_llvm());
    join(&passes)
}

/// `mem-shard-pipeline`.
pub(crate) fn mem_shard_pipeline(
    sharding: &ShardingOptions,
    options: &PlanningOptions,
    lowering: &LoweringOptions,
) -> String {
    // The program is that of one rank: its tensors are the parts of one, and exchanges are operations
    // of `mpi`.
    let grid = sharding.grid.replace('"', "'");
    let own = format!("mem-shard{{grid=\"{grid}\"}}");
    // One plan for all ranks, lowered with everything else.
    format!("{own},{}", mem_to_llvm_pipeline(options, lowering))
}

fn join(passes: &[String]) -> String {
    passes.join(",")
}

/// The passes that precede address assignment for a hierarchy, with default options and under the
/// assumption that no two arguments share a byte.
pub fn before_addresses() -> String {
    let mut passes = vec!["mem-inline".to_owned()];
    passes.extend(to_buffers(true, "noalias-arguments=true"));
    join(&passes)
}

/// The passes that convert allocations to buffers and, if `optimize`, remove redundant accesses.
fn to_buffers(optimize: bool, noalias: &str) -> Vec<String> {
    let mut passes = Vec::new();
    // MLIR's verifier takes longer than most of the following passes, and runs once, after the pass
    // that follows them. All bytes that they change are validated at the end as well.
    let verify = "verify=false";
    // Allocations whose address does not escape the function are buffers. All others are unchanged,
    // and each has been reported.
    passes.push(format!("convert-memref-to-mem{{{verify}}}"));
    // Reads of uninitialized bytes have been diagnosed. The pass hands what it has extracted to the
    // next one.
    passes.push(format!("mem-check-reads{{{noalias}}}"));
    if optimize {
        // Values that were stored or copied are read from their original source.
        passes.push(format!("mem-forward-stores{{{noalias} {verify}}}"));
        // No read or computation is repeated while its operands are unchanged.
        passes.push(format!("mem-cse{{{noalias} {verify}}}"));
        // Dead stores are gone, including those whose readers were removed by the previous passes.
        passes.push(format!("mem-dead-store-elimination{{{noalias} {verify}}}"));
        // Values that were only copied elsewhere are computed at the destination, unless that takes
        // more memory.
        passes.push(format!("mem-remove-copies{{{noalias} {verify}}}"));
        // Stores that became dead because copies were removed are gone.
        passes.push(format!("mem-dead-store-elimination{{{noalias} {verify}}}"));
        // Independent contents of a buffer are separate buffers that need not be adjacent.
        passes.push(format!("mem-split-buffers{{{noalias} {verify}}}"));
    }
    passes
}

fn to_addresses(options: &PlanningOptions) -> Vec<String> {
    // Quotes in a value are replaced, so that the value cannot inject options of its own.
    let [strategy, arena, spread, hierarchy, spaces, report] = [
        &options.strategy,
        &options.arena,
        &options.spread,
        &options.hierarchy,
        &options.spaces,
        &options.report,
    ]
    .map(|value| value.replace('"', "'"));
    let spaces = format!("spaces=\"{spaces}\"");
    let (capacity, alignment, budget) = (options.capacity, options.alignment, options.budget);
    let noalias = format!("noalias-arguments={}", options.noalias_arguments);
    let mut before = Vec::new();
    if !hierarchy.is_empty() {
        // Calls are inlined, because a callee has no level of its own but the slowest.
        before.push("mem-inline".to_owned());
        if options.tile != "off" && budget != -1 {
            // What tiles stream is on the host.
            before.push(format!("mem-offload-streams{{hierarchy=\"{hierarchy}\"}}"));
        }
    }
    before.extend(to_buffers(options.optimize, &noalias));
    if options.order != "keep" {
        // Operations are in an order that takes fewer bytes, or less time in the hierarchy, if one has
        // been found. The validation at the end compares what they compute, in whatever order.
        let order = options.order.replace('"', "'");
        before.push(format!(
            "mem-reorder{{order=\"{order}\" strategy=\"{strategy}\" alignment={alignment} \
             hierarchy=\"{hierarchy}\" capacity={capacity} budget={budget} {noalias} {spaces}}}"
        ));
    }
    if options.overlap != "off" {
        // Messages travel while their rank computes: they are requests that start as early and are waited
        // for as late as possible. All ranks start them in the order of the program.
        let peak = options.overlap.replace('"', "'");
        before.push(format!("mem-overlap-requests{{peak=\"{peak}\" {noalias}}}"));
    }
    // Functions are on memrefs. If some were not, a remark has said so.
    let mut passes = vec!["mem-bufferize{announce=true}".to_owned()];
    if options.tile != "off" {
        // Nothing is computed that is never read. The pass has compared operations with those before.
        passes.push("mem-dead-iteration-elimination".to_owned());
        // Groups of operations run tile by tile. The pass has checked them against the operations
        // before, which have no counterparts that a validation could pair them with. What it has rewritten
        // before, it has validated.
        passes.push(tile(options, &hierarchy, &before));
    }
    // A snapshot of the program has been recorded, for validation at the end.
    passes.push("mem-snapshot".to_owned());
    passes.extend(before);
    // Every buffer has an address, and a checker that is independent of all strategies has accepted
    // the plan.
    passes.push(match hierarchy.is_empty() {
        true => format!(
            "mem-plan{{strategy=\"{strategy}\" capacity={capacity} alignment={alignment} arena=\"{arena}\" \
             spread=\"{spread}\" {spaces}}}"
        ),
        false if budget != -1 => {
            format!(
                "mem-offload{{hierarchy=\"{hierarchy}\" budget={budget} {noalias} {spaces} \
                 report=\"{report}\"}}"
            )
        }
        false => format!(
            "mem-assign-levels{{hierarchy=\"{hierarchy}\" strategy=\"{strategy}\" capacity={capacity} \
             alignment={alignment} {noalias} {spaces} report=\"{report}\"}}"
        ),
    });
    // The addresses written to the IR have been verified as well.
    passes.push("mem-verify-plan".to_owned());
    if hierarchy.is_empty() && !report.is_empty() {
        // The plan is in a file, in the format that its name states.
        let format = Path::new(&report).extension().unwrap_or_default();
        let format = format.to_string_lossy();
        passes.push(format!(
            "mem-print-plan{{format=\"{format}\" output=\"{report}\"}}"
        ));
    }
    passes
}

/// The pass that divides operations into tiles. Other values than those of the pipelines are targets
/// of the pass, or errors. `before`: the passes between tiles and the plan.
fn tile(options: &PlanningOptions, hierarchy: &str, before: &[String]) -> String {
    let target = match options.tile.as_str() {
        "fit" if options.budget != -1 => "budget".to_owned(),
        "fit" if hierarchy.is_empty() => "capacity".to_owned(),
        "fit" => "time".to_owned(),
        other => other.replace('"', "'"),
    };
    let capacity = match options.budget {
        -1 => options.capacity,
        budget => budget,
    };
    let (extra_work, budget) = (options.extra_work, options.budget);
    let noalias = options.noalias_arguments;
    let mut own = format!(
        "target=\"{target}\" capacity={capacity} budget={budget} hierarchy=\"{hierarchy}\" \
         extra-work={extra_work} noalias-arguments={noalias}"
    );
    if options.tile == "fit" {
        // Tiles are to save time, or to fit, which is known when there is a plan.
        let [strategy, spaces] =
            [&options.strategy, &options.spaces].map(|own| own.replace('"', "'"));
        let alignment = options.alignment;
        // Inner options are in double quotes.
        let before = join(before).replace('\'', "");
        own.push_str(&format!(
            " compare=true narrow=true strategy=\"{strategy}\" alignment={alignment} \
             spaces=\"{spaces}\" compare-after='{before}'"
        ));
    }
    format!("mem-tile{{{own}}}")
}

/// The program is equivalent to the program before the pipeline.
fn validate(options: &PlanningOptions) -> String {
    format!(
        "mem-validate{{noalias-arguments={}}}",
        options.noalias_arguments
    )
}

/// `spaces`: the passes on memory spaces between planning and lowering.
fn to_memref(
    options: &PlanningOptions,
    lowering: &LoweringOptions,
    spaces: &[&str],
) -> Vec<String> {
    let mut passes = to_addresses(options);
    passes.extend(spaces.iter().copied().map(str::to_owned));
    let transfers = lowering.transfers.replace('"', "'");
    // The dialect is lowered completely: one allocation per arena, and views of it.
    passes.push(format!(
        "convert-mem-to-memref{{transfers=\"{transfers}\"}}"
    ));
    // The lowered program, transfers in flight included, is equivalent to the original.
    passes.push(validate(options));
    passes
}

/// The passes that lower memref and linalg on buffers to the LLVM dialect. `mem-run` compiles both
/// the original and the planned program with them.
pub fn lower_to_llvm() -> Vec<String> {
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
        // Upstream's lowering of deallocations in other memory spaces does not verify.
        "mem-lower-dealloc",
        // Everything is in the LLVM dialect.
        "func.func(llvm-request-c-wrappers)",
        // Exchanges are calls of the MPI library, which is called by the names that it has in C.
        "mem-lower-mpi",
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
