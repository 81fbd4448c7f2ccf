//! Live names: names whose bytes are read later, before they are guaranteed to be overwritten.
//!
//! One walk over a block serves two clients: the fixed point needs only the resulting set, the
//! sweep also needs the places where each name is born and dies.

use mem_model::{BlockId, PointerId, SharedSet, StepId};

use crate::effects::Effects;
use crate::reach::Flow;

/// Phase of a step at which a name is born or dies, in order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// Birth: the step made the instance that the name denotes.
    Allocate,
    /// Death: the name was needed only as the source of a binding.
    Unbind,
    /// Birth: the step bound the name. The early point follows.
    Bind,
    /// Birth: the step wrote the name, and the old content is overwritten or was dead. The late
    /// point follows.
    Write,
    /// Death: the step accessed the name, perhaps by a dead write, and the name is not live after
    /// it.
    Leave,
}

/// The birth or death of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub step: StepId,
    pub phase: Phase,
    pub name: PointerId,
}

/// Indexed by block: the names that are live at its start.
pub(crate) fn live_into_blocks(flow: &Flow<'_>, effects: &[Effects]) -> Vec<SharedSet> {
    flow.solve_backward(|block, live| walk_back(flow, effects, block, live, |_| ()))
}

/// Transfers the set of live names from the end of `block` to its start. Reports each change, in
/// exactly the reverse of the order of execution.
pub(crate) fn walk_back(
    flow: &Flow<'_>,
    effects: &[Effects],
    block: BlockId,
    live: &mut SharedSet,
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
        // Bindings are simultaneous: all targets are removed before any source is inserted.
        let wanted: Vec<_> = flow.program.steps[step]
            .bindings
            .iter()
            .filter(|binding| live.take(binding.target.index()))
            .inspect(|binding| report(Phase::Bind, binding.target))
            .collect();
        for &source in wanted.iter().flat_map(|binding| &binding.sources) {
            if !live.put(source.index()) {
                report(Phase::Unbind, source);
            }
        }
        for &buffer in &flow.program.steps[step].allocates {
            for &name in flow.names_of(buffer) {
                if live.take(name.index()) {
                    report(Phase::Allocate, name);
                }
            }
        }
    }
}

fn walk_back_accesses(
    effects: &Effects,
    live: &mut SharedSet,
    report: &mut impl FnMut(Phase, PointerId),
) {
    for name in effects.accessed().filter(|x| !live.contains(x.index())) {
        report(Phase::Leave, name);
    }
    for &name in effects.defines.iter().filter(|x| !effects.reads(**x)) {
        let is_wanted = live.contains(name.index());
        if !is_wanted || effects.kills(name) {
            report(Phase::Write, name);
            live.take(name.index());
        }
    }
    // The step reads before it writes, so its reads come last on the way back.
    for &name in &effects.uses {
        live.insert(name.index());
    }
}
