//! Makes a plan of an execution that the search has found.

use std::cmp::Reverse;

use mem_cost::simulate;
use mem_model::{
    Bytes, GapId, Interval, LevelId, LevelPlan, LevelProblem, PlacementId, Repeatable, Repetition,
    TensorId,
};

use super::super::packed::Packed;
use super::super::profile::{Gap, Profile};
use super::super::recompute::{Element, elements_of, repetitions};
use super::super::repeat::with_repetitions;
use super::super::timetable::{Copying, Leave, Timetable, Wishes};
use super::super::tuning;
use super::search::{Action, Node};
use super::state::{Program, members};
use crate::levels::LevelAnswer;

/// Name of the strategy in answers.
const STRATEGY: &str = "exact";

/// What happens to a tensor before a step of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It is dropped from the device.
    Drop,
    /// Its copy to the host is issued.
    Out,
    /// Its copy back is issued.
    Back,
}

#[derive(Clone, Copy, Debug)]
struct Event {
    tensor: TensorId,
    kind: Kind,
    /// Step of the execution, repetitions included.
    before: usize,
}

/// An execution.
#[derive(Default)]
struct Execution {
    elements: Vec<Element>,
    /// In the order in which they happen.
    events: Vec<Event>,
    /// Tensors, the steps from which on they have addresses, and these, in granules.
    offsets: Vec<(TensorId, usize, i32)>,
}

impl Execution {
    /// Follows the nodes of a search.
    fn new(program: &Program, path: &[Node]) -> Self {
        let mut own = Self::default();
        for (last, node) in path.iter().zip(&path[1..]) {
            let before = own.elements.len();
            let mut add = |kind: Kind, value: usize| {
                own.events.push(Event {
                    tensor: program.tensors[value],
                    kind,
                    before,
                });
            };
            for value in members(last.place.resident & !node.place.resident) {
                add(Kind::Drop, value);
            }
            let mut new = Vec::new();
            match node.action {
                Action::Wait | Action::Drop => {}
                Action::Copy(flight) if flight.is_out => add(Kind::Out, flight.value.into()),
                Action::Copy(flight) => {
                    add(Kind::Back, flight.value.into());
                    new.push((flight.value as usize, before));
                }
                Action::Step => own.elements.push(Element {
                    step: node.place.next as u32 - 1,
                    is_again: false,
                    is_head: false,
                }),
                Action::Again(group) => own.elements.extend(elements_of(&program.values, group)),
            }
            for (number, element) in own.elements.iter().enumerate().skip(before) {
                let defines = program.values.defines.of(element.step as usize);
                new.extend(defines.iter().map(|value| (*value as usize, number)));
            }
            for (value, step) in new {
                if let Some(offset) = node.offset(value) {
                    own.offsets.push((program.tensors[value], step, offset));
                }
            }
        }
        own
    }

    /// The absence of a tensor in a gap, if it leaves and comes back. Everything that is not needed for
    /// that is left out.
    fn leave(&self, gap: &Gap) -> Option<Leave> {
        let Interval { start, end } = gap.steps;
        let all = self.events.iter().enumerate();
        let own = all.filter(|(_, own)| own.tensor == gap.tensor);
        let within = own.clone();
        let mut within = within.filter(|(_, own)| start <= own.before && own.before <= end);
        let (dropped, drop) = within.clone().find(|(_, own)| own.kind == Kind::Drop)?;
        let (number, back) = within.rfind(|(_, own)| own.kind == Kind::Back)?;
        if number < dropped {
            return None;
        }
        let mut outs = own.filter(|(number, own)| *number < dropped && own.kind == Kind::Out);
        Some(Leave {
            out: outs.next_back().map(|(number, out)| Copying {
                before: out.before,
                // Control notices its end where the bytes are needed.
                until: drop.before,
                start: number as u64,
            }),
            back: Copying {
                before: back.before,
                until: end,
                start: number as u64,
            },
        })
    }
}

/// The plan of the nodes of a search; `None` if no addresses were found. `has_addresses`: the nodes
/// have them.
pub(super) fn lower(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    program: &Program,
    path: &[Node],
    has_addresses: bool,
) -> Option<Packed> {
    let execution = Execution::new(program, path);
    let repetitions: Vec<Repetition> = repetitions(&execution.elements);
    let extended = with_repetitions(problem, repeatable, &repetitions);
    let profile = Profile::new(&extended)?;
    let wishes = Wishes::default();
    let mut timetable = Timetable::without_copies(&extended, &profile, &wishes);
    timetable.has_outs_first = false;
    for (index, gap) in profile
        .gaps
        .iter()
        .enumerate()
        .filter(|(_, gap)| !gap.is_dead)
    {
        timetable.leaves[GapId::new(index).index()] = execution.leave(gap);
    }
    begin_late(&mut timetable);
    let mut plan = timetable.plan();
    let effort = if has_addresses {
        0
    } else {
        tuning::PACK_EFFORT
    };
    let peak = timetable.place(&mut plan, profile.capacity, effort)?;
    if peak > profile.capacity {
        if !has_addresses {
            return None;
        }
        assign(&extended, &execution, &mut plan, program.values.granule)?;
    }
    let makespan = simulate(&extended, &plan).makespan;
    let answer = LevelAnswer {
        plan,
        strategy: STRATEGY,
        lower_bound: 0,
    };
    Some(Packed {
        makespan,
        repetitions,
        problem: extended,
        answer,
    })
}

/// Issues copies back as late as the makespan permits: the search issues them at any time. Until then,
/// their bytes are free for what measurements may ask for.
fn begin_late(timetable: &mut Timetable) {
    let makespan = |own: &Timetable| simulate(own.problem, &own.plan()).makespan;
    let most = makespan(timetable);
    // Backward, so that later copies make way for earlier ones.
    let mut gaps: Vec<usize> = (0..timetable.leaves.len()).collect();
    gaps.sort_by_key(|gap| Reverse(timetable.profile.gaps[*gap].steps.end));
    for gap in gaps {
        while let Some(known) = timetable.leaves[gap] {
            let mut later = known;
            later.back.before += 1;
            timetable.leaves[gap] = Some(later);
            if known.back.before == known.back.until || makespan(timetable) > most {
                timetable.leaves[gap] = Some(known);
                break;
            }
        }
    }
}

/// Assigns the addresses of an execution to the placements on the device. `None` if they overlap where
/// they must not: a result may take over another operand than the search has assumed.
fn assign(
    problem: &LevelProblem,
    execution: &Execution,
    plan: &mut LevelPlan,
    granule: u64,
) -> Option<()> {
    let on_device: Vec<PlacementId> = (0..plan.placements.len())
        .map(PlacementId::new)
        .filter(|id| {
            let own = &plan.placements[id.index()];
            own.level == LevelId::DEVICE && own.offset.is_some()
        })
        .collect();
    for id in &on_device {
        let own = &mut plan.placements[id.index()];
        // A copy back may begin later than in the execution.
        let mut all = execution.offsets.iter();
        let found = all.rfind(|known| known.0 == own.tensor && known.1 <= own.steps.start);
        own.offset = Some(Bytes::new(found?.2 as u64 * granule));
    }
    let is_free = on_device.iter().enumerate().all(|(index, id)| {
        let others = on_device[index + 1..].iter();
        others
            .clone()
            .all(|other| are_apart(problem, plan, *id, *other))
    });
    is_free.then_some(())
}

/// Whether two placements share no bytes at any step, or only as a result and the operand that it takes
/// over.
fn are_apart(problem: &LevelProblem, plan: &LevelPlan, a: PlacementId, b: PlacementId) -> bool {
    let [one, other] = [a, b].map(|id| &plan.placements[id.index()]);
    let common = Interval::new(
        one.steps.start.max(other.steps.start),
        one.steps.end.min(other.steps.end),
    );
    let bytes = |own: &mem_model::LevelPlacement| {
        let start = own.offset.map_or(0, Bytes::get);
        (
            start,
            start + problem.tensors[own.tensor.index()].size.get(),
        )
    };
    let [(start, end), (first, last)] = [bytes(one), bytes(other)];
    if common.is_empty() || end <= first || last <= start {
        return true;
    }
    let takes_over = |to: PlacementId, from: PlacementId| {
        let uses = problem.steps[common.start].uses.iter();
        let accessed = &plan.accessed[common.start];
        let mut uses = uses.zip(accessed).filter(|(_, own)| **own == to);
        uses.any(|(used, _)| used.takes_over.is_some_and(|own| accessed[own] == from))
    };
    let is_meeting = common.end == common.start + 1 && start == first;
    is_meeting && (takes_over(a, b) || takes_over(b, a))
}
