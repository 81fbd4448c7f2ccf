//! Optimization remarks on what limits the groups that set the peak.

use mem_planner::{TileLimit, TilePlan};

use crate::extract::tiles::TileBlock;
use crate::ir::{Category, Location, Op, Remark, are_remarks_enabled};

/// An operation that the group with the highest peak cannot have.
#[derive(Clone)]
pub(super) struct Limit {
    function: String,
    location: Location,
    operation: String,
    /// Operations of the group; none if the operation itself sets the peak.
    n_grouped: usize,
    peak: u64,
    limit: TileLimit,
}

/// What limits the groups of a block. Empty unless the remark engine accepts such remarks.
pub(super) fn limits_of(function: Op, block: &TileBlock, plan: &TilePlan) -> Vec<Limit> {
    if plan.peak.get() == 0 || !are_remarks_enabled(function.context(), Category::NotTiled) {
        return Vec::new();
    }
    let limits = plan.limits(&block.program).into_iter().map(|limit| {
        let op = block.ops[limit.operation.index()];
        let range = limit.operations;
        let is_group = plan.groups.iter().any(|own| own.operations == range);
        Limit {
            function: function.symbol().unwrap_or_default(),
            location: op.location(),
            operation: op.name().to_owned(),
            n_grouped: match is_group {
                true => range.1.index() - range.0.index(),
                false => 0,
            },
            peak: plan.peak.get(),
            limit,
        }
    });
    limits.collect()
}

impl Limit {
    pub(super) fn remark(&self) {
        let (name, refusal) = (&self.operation, self.limit.refusal);
        let text = match self.n_grouped {
            0 => format!("'{name}' keeps what sets the peak from running tile by tile: {refusal}"),
            n => format!(
                "'{name}' cannot be part of the group of {n} operations that sets the peak: {refusal}"
            ),
        };
        let remark = Remark::new(
            (Category::NotTiled, refusal.name()),
            self.location,
            &self.function,
        );
        remark
            .text(text)
            .with("Operation", name)
            .with("Operations", self.n_grouped)
            .with("Peak", self.peak)
            .with("Reason", refusal)
            .emit();
    }
}
