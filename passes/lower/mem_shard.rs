//! `mem-shard`: from a program on tensors that states how it is sharded to the program of one rank,
//! which exchanges data through `mpi`.
//!
//! Upstream's passes do the work: `sharding-propagation`, `shard-partition` and
//! `convert-shard-to-mpi`. This pass sets the shape of the grid, makes sure that nothing of the
//! `shard` dialect is left, and says which operation is in the way if something is.

use crate::framework::options::MemShardOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::{Attribute, Diagnostic, Op};

/// The program of one rank, still on tensors.
const PARTITION: &str =
    "func.func(sharding-propagation{traversal=forward-backward},shard-partition),canonicalize";

/// Collectives become operations of `mpi`. Equal communicators are one.
const TO_MPI: &str = "convert-shard-to-mpi,canonicalize,cse";

const GRID: &str = "shard.grid";

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let mut grids: Vec<Op> = Vec::new();
    module.walk(&mut |op| grids.extend(Some(op).filter(|op| op.name() == GRID)));
    if grids.is_empty() {
        let text = "mem-shard: the module has no 'shard.grid', which says how ranks are arranged";
        return Diagnostic::error(module.location(), text).fail();
    }
    if !options.grid.is_empty() {
        let shape = shape(module, &options.grid)?;
        for grid in &grids {
            grid.set_attribute("shape", shape);
        }
    }
    run.run_passes(module, PARTITION)?;
    run.run_passes(module, TO_MPI)?;
    finish(module)
}

/// The shape that the option states, as in `2x4`.
fn shape(module: Op, text: &str) -> Result<Attribute, Failed> {
    let sizes: Option<Vec<i64>> = text
        .split('x')
        .map(|size| size.parse().ok().filter(|size| *size > 0))
        .collect();
    let Some(sizes) = sizes else {
        let what = format!("mem-shard: invalid grid '{text}': expected sizes such as 2x4");
        return Diagnostic::option_error(module, "grid", Some(text), what).fail();
    };
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let text = format!("array<i64: {}>", sizes.join(", "));
    Ok(Attribute::parse(module.context(), &text))
}

/// Fails if there is anything left that no rank could run, and erases the grids.
fn finish(module: Op) -> PassResult {
    let mut result = Ok(());
    let mut grids = Vec::new();
    module.walk(&mut |op| {
        if op.name() == GRID {
            grids.push(op);
        } else if op.name().starts_with("shard.") {
            let text = format!(
                "mem-shard: '{}' has no counterpart in mpi: expected tensors that need not be \
                 gathered or sliced between operations",
                op.name()
            );
            result = Diagnostic::error(op.location(), text).fail();
        }
    });
    result?;
    grids.into_iter().for_each(Op::erase);
    Ok(())
}
