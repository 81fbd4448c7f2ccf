//! Which names are live: what is behind them is read later, before it is sure to be overwritten.
//!
//! The same walk over a block serves the fixpoint, which wants only its result, and the sweep,
//! which wants to know where each name is born and dies.

use mem_model::{BitSet, BlockId, PointerId, StepId};

use crate::effects::Effects;
use crate::reach::Flow;

/// When within a step a name is born or dies; in the order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Born: the step made the instance it denotes.
    Allocate,
    /// Dies: its value was wanted only to bind a merge.
    Unbind,
    /// Born: bound by the step. After this comes the early point.
    Bind,
    /// Born: written, its old content overwritten or never wanted. After this comes the late
    /// point.
    Write,
    /// Dies: read, or written for nobody, and not wanted after the step.
    Leave,
}

/// A name is born or dies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub step: StepId,
    pub phase: Phase,
    pub name: PointerId,
}

/// By block: the names that are live at its start.
pub(crate) fn live_into_blocks(flow: &Flow<'_>, effects: &[Effects]) -> Vec<BitSet> {
    flow.solve_backward(|block, live| walk_back(flow, effects, block, live, |_| ()))
}

/// Takes the live names from the end of `block` to its start and reports each change, in exactly
/// the reverse of the order of execution.
pub(crate) fn walk_back(
    flow: &Flow<'_>,
    effects: &[Effects],
    block: BlockId,
    live: &mut BitSet,
    mut report: impl FnMut(Change),
) {
    for step in flow.steps(block).rev() {
        let id = StepId::new(step);
        let mut report = |phase, name| {
            report(Change {
                step: id,
                phase,
                name,
            })
        };
        walk_back_accesses(&effects[step], live, &mut report);
        let wanted: Vec<_> = flow.program.steps[step]
            .bindings
            .iter()
            .filter(|binding| live.remove(binding.target.index()))
            .inspect(|binding| report(Phase::Bind, binding.target))
            .collect();
        for &source in wanted.iter().flat_map(|binding| &binding.sources) {
            if live.insert(source.index()) {
                report(Phase::Unbind, source);
            }
        }
        for &buffer in &flow.program.steps[step].allocates {
            for &name in flow.names_of(buffer) {
                if live.remove(name.index()) {
                    report(Phase::Allocate, name);
                }
            }
        }
    }
}

fn walk_back_accesses(
    effects: &Effects,
    live: &mut BitSet,
    report: &mut impl FnMut(Phase, PointerId),
) {
    for name in effects.accessed().filter(|x| !live.contains(x.index())) {
        report(Phase::Leave, name);
    }
    for &name in effects.defines.iter().filter(|x| !effects.reads(**x)) {
        let is_wanted = live.contains(name.index());
        if !is_wanted || effects.kills(name) {
            report(Phase::Write, name);
            live.remove(name.index());
        }
    }
    for &name in &effects.uses {
        live.insert(name.index());
    }
}
