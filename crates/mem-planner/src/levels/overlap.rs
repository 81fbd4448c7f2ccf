//! Overlaps copies with computation: they are issued as early as possible, and awaited as late as
//! possible.
//!
//! A copy can be issued once its source holds the tensor and the bytes of its target are free. It
//! has to complete before the target is accessed, or the bytes of the source are reused. It is
//! issued early enough to be hidden twice over, but no earlier: the remaining time is left to the
//! copies that vacate the bytes. Addresses do not change. Moves within a level, which no engine does,
//! stay where they are, and other copies of what they move are awaited before them.
//!
//! O(n log n) for the addresses, plus the number of steps by which copies move.

use std::collections::{BTreeMap, HashMap};

use mem_cost::{repeats_before, serial_cost, step_cycles, step_times, transfer_cost};
use mem_model::{Bytes, LevelPlan, LevelProblem, PlacementId, Transfer, TransferId};

use super::tuning;

/// Returns the plan with copies that overlap computation, where there are engines for them.
#[must_use]
pub fn overlap(problem: &LevelProblem, plan: &LevelPlan) -> LevelPlan {
    let mut plan = plan.clone();
    if problem.hierarchy.engines.is_empty() {
        return plan;
    }
    let before = plan.clone();
    let mut hoist = Hoist::new(problem, &before);
    // In order: what one transfer vacates early, a later one may occupy early.
    for id in (0..plan.transfers.len()).map(TransferId::new) {
        hoist.begin_early(&mut plan, id);
    }
    // Stable: among transfers before the same step, the order remains.
    plan.transfers.sort_by_key(|transfer| transfer.before);
    finish(problem, plan)
}

/// Returns the plan with copies that are awaited as late as possible.
pub(crate) fn end_late(problem: &LevelProblem, plan: &LevelPlan) -> LevelPlan {
    finish(problem, plan.clone())
}

fn finish(problem: &LevelProblem, mut plan: LevelPlan) -> LevelPlan {
    wait_late(problem, &mut plan);
    // A transfer keeps its source while another copy of it is in flight.
    let mut read_until: HashMap<PlacementId, usize> = HashMap::new();
    for transfer in &mut plan.transfers {
        let until = read_until.entry(transfer.from).or_default();
        transfer.keeps_source |= *until > transfer.before;
        *until = (*until).max(transfer.until);
    }
    // Another load may be the first now, and hence free.
    plan.cost = serial_cost(problem, &plan);
    plan
}

/// Accesses and transfers of each placement.
struct Events {
    /// Per placement: the steps that access it, and whether they write.
    accesses: Vec<Vec<(usize, bool)>>,
    /// Per placement: transfers into it, with the step before which each is issued.
    filled: Vec<Vec<(usize, TransferId)>>,
    /// Per placement: transfers out of it.
    read: Vec<Vec<(usize, TransferId)>>,
    /// Per placement: those of them that stay in its level, and give it up.
    moved: Vec<Vec<(usize, TransferId)>>,
}

impl Events {
    fn new(problem: &LevelProblem, plan: &LevelPlan) -> Self {
        let n = plan.placements.len();
        let mut events = Self {
            accesses: vec![Vec::new(); n],
            filled: vec![Vec::new(); n],
            read: vec![Vec::new(); n],
            moved: vec![Vec::new(); n],
        };
        for (step, (at, accessed)) in problem.steps.iter().zip(&plan.accessed).enumerate() {
            for (used, placement) in at.uses.iter().zip(accessed) {
                events.accesses[placement.index()].push((step, used.writes > Bytes::ZERO));
            }
        }
        for (index, transfer) in plan.transfers.iter().enumerate() {
            let id = TransferId::new(index);
            events.filled[transfer.to.index()].push((transfer.before, id));
            events.read[transfer.from.index()].push((transfer.before, id));
            if is_within_level(plan, transfer) {
                events.moved[transfer.from.index()].push((transfer.before, id));
            }
        }
        events
    }

    /// The first step or gap that needs a transfer to have completed: its target is accessed, copied
    /// on or filled again, or its source is overwritten or given up.
    fn first_need(&self, transfer: &Transfer, id: TransferId) -> Option<usize> {
        let Transfer {
            before, from, to, ..
        } = *transfer;
        let needs = self.accesses[to.index()].iter().map(|(step, _)| *step);
        let writes = self.accesses[from.index()]
            .iter()
            .filter(|(_, writes)| *writes);
        let steps = needs.chain(writes.map(|(step, _)| *step));
        let steps = steps.filter(|step| *step >= before);
        let copies = self.read[to.index()]
            .iter()
            .chain(&self.filled[from.index()]);
        let copies = copies
            .chain(&self.filled[to.index()])
            .chain(&self.moved[from.index()]);
        let later = copies.filter(|(gap, other)| (*gap, *other) > (before, id));
        let gaps = later.map(|(gap, _)| *gap);
        steps.chain(gaps).min()
    }
}

/// Whether a transfer moves a tensor to another address of its level.
fn is_within_level(plan: &LevelPlan, transfer: &Transfer) -> bool {
    let level = |own: PlacementId| plan.placements[own.index()].level;
    level(transfer.from) == level(transfer.to)
}

struct Hoist<'a> {
    problem: &'a LevelProblem,
    events: Events,
    /// Per placement: the step from which its bytes are free of previous occupants.
    free_from: Vec<usize>,
    /// Cycles of all steps before each step, waiting for messages included.
    sums: Vec<u64>,
}

impl<'a> Hoist<'a> {
    fn new(problem: &'a LevelProblem, plan: &LevelPlan) -> Self {
        let steps = problem.steps.iter().enumerate();
        let cycles = steps
            .map(|(step, own)| step_cycles(problem, plan, step).saturating_mul(own.repeats.max(1)));
        let sums = step_times(problem, &cycles.collect::<Vec<_>>());
        Self {
            problem,
            events: Events::new(problem, plan),
            free_from: neighbours(problem, plan, false),
            sums,
        }
    }

    /// Issues a transfer earlier.
    fn begin_early(&mut self, plan: &mut LevelPlan, id: TransferId) {
        if is_within_level(plan, &plan.transfers[id.index()]) {
            return;
        }
        let Transfer {
            before, from, to, ..
        } = plan.transfers[id.index()];
        let placement = plan.placements[from.index()];
        let tensor = &self.problem.tensors[placement.tensor.index()];
        let first = self.first_gap(plan, id);
        let (levels, size) = (
            (placement.level, plan.placements[to.index()].level),
            tensor.size,
        );
        let repeats = repeats_before(self.problem, placement.tensor, before);
        // Over all executions, as in `sums`.
        let cycles = transfer_cost(&self.problem.hierarchy, size, levels.0, levels.1)
            .saturating_mul(repeats)
            .saturating_mul(tuning::COVER);
        let mut best = before;
        let mut gap = before;
        // Computation of the steps in between hides the copy.
        while gap > first && self.sums[before].saturating_sub(self.sums[best]) < cycles {
            gap -= 1;
            // Outside of its loop, the copy would run another number of times.
            let can_be = tensor.can_move_before(gap)
                && self.problem.shares_block(placement.tensor, gap, before)
                && repeats_before(self.problem, placement.tensor, gap) == repeats;
            if can_be {
                best = gap;
            }
        }
        if best < before {
            plan.transfers[id.index()].before = best;
            plan.transfers[id.index()].until = best;
            // The source is read until its bytes are released.
            plan.transfers[id.index()].keeps_source = true;
            // The copy writes the target from its issue on.
            let steps = &mut plan.placements[to.index()].steps;
            steps.start = steps.start.min(best);
        }
    }

    /// The first gap at which the source of a transfer holds the contents, and the target is no
    /// longer accessed.
    fn first_gap(&self, plan: &LevelPlan, id: TransferId) -> usize {
        let Transfer {
            before, from, to, ..
        } = plan.transfers[id.index()];
        let mut first = plan.placements[from.index()].steps.start;
        for (step, writes) in &self.events.accesses[from.index()] {
            if *step < before && *writes {
                first = first.max(step + 1);
            }
        }
        for (gap, other) in &self.events.filled[from.index()] {
            // Among transfers before the same step, the id is the order.
            if (*gap, *other) < (before, id) {
                first = first.max(*gap);
            }
        }
        let target_accesses = self.events.accesses[to.index()]
            .iter()
            .map(|(step, _)| step + 1);
        let target_reads = self.events.read[to.index()].iter().map(|(gap, _)| *gap);
        let target_fills = self.events.filled[to.index()].iter();
        let target_fills = target_fills.filter(|(_, other)| *other != id);
        let others = target_accesses
            .chain(target_reads)
            .chain(target_fills.map(|(gap, _)| gap + 1));
        first = others.filter(|gap| *gap <= before).fold(first, usize::max);
        first.max(self.free_from[to.index()])
    }
}

/// Awaits each transfer as late as possible.
fn wait_late(problem: &LevelProblem, plan: &mut LevelPlan) {
    let events = Events::new(problem, plan);
    let taken_from = neighbours(problem, plan, true);
    for id in (0..plan.transfers.len()).map(TransferId::new) {
        let Transfer {
            before, from, to, ..
        } = plan.transfers[id.index()];
        let tensor = plan.placements[from.index()].tensor;
        if is_within_level(plan, &plan.transfers[id.index()]) {
            continue;
        }
        let need = events.first_need(&plan.transfers[id.index()], id);
        let mut until = need.unwrap_or(problem.steps.len());
        if plan.placements[to.index()].offset.is_some() {
            until = until.min(plan.placements[to.index()].steps.end);
        }
        // The next occupant of the source's bytes must not overwrite them in flight.
        if plan.placements[from.index()].offset.is_some() {
            until = until.min(taken_from[from.index()]);
        }
        // A copy is awaited in the block that issues it, so that both happen equally often.
        while until > before && !problem.shares_block(tensor, before, until) {
            until -= 1;
        }
        plan.transfers[id.index()].until = until.max(before);
        if until > before {
            // The source keeps its bytes until the transfer completes.
            let steps = &mut plan.placements[from.index()].steps;
            steps.end = steps.end.max(until);
        }
    }
}

/// Per placement: the step at which the last previous occupant of any of its bytes releases them;
/// or, backward, the step at which the first next occupant acquires them.
fn neighbours(problem: &LevelProblem, plan: &LevelPlan, is_backward: bool) -> Vec<usize> {
    let none = if is_backward { problem.steps.len() } else { 0 };
    let mut found = vec![none; plan.placements.len()];
    let mut order: Vec<PlacementId> = (0..plan.placements.len())
        .map(PlacementId::new)
        .filter(|id| plan.placements[id.index()].offset.is_some())
        .collect();
    // In the order of time, what was visited last at an address is the neighbour in time.
    order.sort_by_key(|id| (plan.placements[id.index()].steps.start, *id));
    if is_backward {
        order.reverse();
    }
    let mut levels = vec![Pieces::new(none); problem.hierarchy.levels.len()];
    for id in order {
        let placement = &plan.placements[id.index()];
        let size = problem.tensors[placement.tensor.index()].size.get();
        let start = placement.offset.map_or(0, Bytes::get);
        let pieces = &mut levels[placement.level.index()];
        // Without bytes, there is no neighbour.
        if size == 0 {
            continue;
        }
        let times = pieces.times(start, start + size);
        found[id.index()] = match is_backward {
            true => times.min().unwrap_or(none),
            false => times.max().unwrap_or(none),
        };
        let own = match is_backward {
            true => placement.steps.start,
            false => placement.steps.end,
        };
        pieces.take(start, start + size, own);
    }
    found
}

/// The addresses of a level, cut where occupants begin and end.
#[derive(Clone)]
struct Pieces {
    /// Start of each piece, and the time of its occupant that was visited last.
    pieces: BTreeMap<u64, usize>,
}

impl Pieces {
    fn new(time: usize) -> Self {
        Self {
            pieces: BTreeMap::from([(0, time)]),
        }
    }

    /// Time of the piece that contains an address.
    fn at(&self, address: u64) -> Option<usize> {
        let around = self.pieces.range(..=address).next_back();
        around.map(|(_, time)| *time)
    }

    /// Times of all pieces with bytes in `[start, end)`.
    fn times(&self, start: u64, end: u64) -> impl Iterator<Item = usize> {
        // The piece that contains `start` may begin below it.
        let inside = self.pieces.range(start..end).map(|(_, time)| *time);
        inside.chain(self.at(start))
    }

    /// Replaces the pieces in `[start, end)` by one.
    fn take(&mut self, start: u64, end: u64, time: usize) {
        let after = self.at(end);
        let old: Vec<u64> = self.pieces.range(start..end).map(|(key, _)| *key).collect();
        for key in old {
            self.pieces.remove(&key);
        }
        self.pieces.insert(start, time);
        // What follows keeps its time.
        self.pieces.extend(after.map(|after| (end, after)));
    }
}
