//! States of variables at arbitrary steps, for queries about steps that do not use them.
//!
//! For each variable, the blocks that change it are kept in preorder of the dominator tree, each
//! with its nearest dominator among them. The state at a step is the last one before it in its
//! block, or else the last one in the nearest dominator that changes the variable.

use mem_model::BlockId;

use super::map::Root;
use crate::graph::Graph;

/// A state of a variable from a position in a block on. Position 0 is the block's start; position
/// `k + 1` is after its step `k`.
#[derive(Clone, Copy)]
pub(super) struct Version {
    pub variable: u32,
    pub block: BlockId,
    pub position: u32,
    pub root: Root,
}

/// All states of all variables.
#[derive(Default)]
pub(super) struct Versions {
    /// Ordered by variable, preorder of the block, and position.
    versions: Vec<Version>,
    /// Runs of versions in a common block, in the same order.
    runs: Vec<Run>,
    /// Indexed by variable: its first run; one more entry at the end.
    first_run: Vec<u32>,
}

struct Run {
    block: BlockId,
    first: u32,
    /// The nearest run of the variable whose block strictly dominates this one's, or `NONE`.
    above: u32,
}

const NONE: u32 = u32::MAX;

impl Versions {
    pub(super) fn new(mut versions: Vec<Version>, graph: &Graph, n_variables: u32) -> Self {
        let key = |v: &Version| (v.variable, graph.preorder(v.block), v.position);
        // Stable, so that the last one of several versions at one position is found.
        versions.sort_by_key(key);
        let mut runs: Vec<Run> = Vec::new();
        let mut first_run = Vec::with_capacity(n_variables as usize + 1);
        let mut open: Vec<u32> = Vec::new();
        for (index, version) in versions.iter().enumerate() {
            while first_run.len() <= version.variable as usize {
                first_run.push(runs.len() as u32);
                open.clear();
            }
            let is_same = index > 0
                && versions[index - 1].variable == version.variable
                && versions[index - 1].block == version.block;
            if is_same {
                continue;
            }
            let dominates = |run: u32| graph.dominates(runs[run as usize].block, version.block);
            // In preorder, a run that does not dominate this block dominates no later one either.
            while open.pop_if(|run| !dominates(*run)).is_some() {}
            let above = open.last().copied().unwrap_or(NONE);
            open.push(runs.len() as u32);
            runs.push(Run {
                block: version.block,
                first: index as u32,
                above,
            });
        }
        while first_run.len() <= n_variables as usize {
            first_run.push(runs.len() as u32);
        }
        Self {
            versions,
            runs,
            first_run,
        }
    }

    /// The state of `variable` at `position` in `block`; `None` if it is still the initial state.
    pub(super) fn at(
        &self,
        variable: u32,
        block: BlockId,
        position: u32,
        graph: &Graph,
    ) -> Option<Root> {
        let first = self.first_run[variable as usize] as usize;
        let after = self.first_run[variable as usize + 1] as usize;
        let preorder = graph.preorder(block);
        let runs = &self.runs[first..after];
        let n_before = runs.partition_point(|run| graph.preorder(run.block) <= preorder);
        let mut at = (first + n_before.checked_sub(1)?) as u32;
        while let Some(run) = self.runs.get(at as usize) {
            if run.block == block {
                let found = self.in_run(at, position);
                if found.is_some() {
                    return found;
                }
            } else if graph.dominates(run.block, block) {
                return self.in_run(at, u32::MAX);
            }
            at = run.above;
        }
        None
    }

    /// The last state of a run up to `position`.
    fn in_run(&self, run: u32, position: u32) -> Option<Root> {
        let first = self.runs[run as usize].first as usize;
        let next = self.runs.get(run as usize + 1);
        let after = next.map_or(self.versions.len(), |next| next.first as usize);
        let of_run = &self.versions[first..after];
        let n_before = of_run.partition_point(|version| version.position <= position);
        Some(of_run[n_before.checked_sub(1)?].root)
    }
}
