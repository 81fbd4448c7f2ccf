//! Occupied points of buffers: a forward sweep over each block that counts, for each buffer, the
//! present names that may denote its newest or older instances. A name is present from its birth to
//! its death, and at the late point of a step that writes through it.
//!
//! The same counts tell where two instances of one buffer are occupied at once. Two names are known
//! to denote the same instance only if both denote the newest one.

use fixedbitset::FixedBitSet;
use mem_model::{
    BlockId, BufferId, Interval, IntervalSet, Point, PointerId, PointerKind, Program, SharedSet,
    StepId,
};

use crate::content::{Change, Phase, walk_back};
use crate::effects::Effects;
use crate::instances::{Ages, Referents, State};
use crate::reach::Flow;

/// Result of the sweep.
pub(crate) struct Occupancy {
    /// Indexed by buffer: the points at which it is occupied.
    pub live: Vec<IntervalSet<Point>>,
    /// Buffers with two instances that may be occupied at the same point.
    pub overlaps_itself: FixedBitSet,
    /// Every allocation of a buffer that merges can denote.
    pub allocations: Vec<Allocation>,
}

/// An allocation of a buffer while older instances of it may be in use.
pub(crate) struct Allocation {
    pub step: StepId,
    pub buffer: BufferId,
    /// Merges that may denote older instances, in ascending order.
    pub older: Vec<PointerId>,
}

/// Sweeps over all blocks.
pub(crate) fn sweep(
    flow: &Flow<'_>,
    effects: &[Effects],
    content: &[SharedSet],
    instances: &[Option<State>],
) -> Occupancy {
    let mut sweep = Sweep::new(flow, effects);
    for (index, on_entry) in instances.iter().enumerate() {
        let block = BlockId::new(index);
        match on_entry {
            Some(state) => sweep.reachable_block(block, content, state.clone()),
            None => sweep.unreachable_block(block),
        }
    }
    Occupancy {
        live: sweep
            .intervals
            .into_iter()
            .map(IntervalSet::from_iter)
            .collect(),
        overlaps_itself: sweep.overlaps_itself,
        allocations: sweep.allocations,
    }
}

/// Number of present names per set of ages, indexed by `Ages::index`.
type Counts = [u32; 4];

struct Sweep<'a> {
    flow: &'a Flow<'a>,
    effects: &'a [Effects],
    /// The present names.
    present: FixedBitSet,
    /// Indexed by buffer.
    counts: Vec<Counts>,
    /// Indexed by buffer: the start of the interval in which it is occupied; `None` if it is not.
    since: Vec<Option<Point>>,
    /// Buffers whose counts or accessed instances changed since the last point.
    touched: Vec<BufferId>,
    intervals: Vec<Vec<Interval<Point>>>,
    overlaps_itself: FixedBitSet,
    allocations: Vec<Allocation>,
}

impl<'a> Sweep<'a> {
    fn new(flow: &'a Flow<'a>, effects: &'a [Effects]) -> Self {
        let n_buffers = flow.program.buffers.len();
        Self {
            flow,
            effects,
            present: FixedBitSet::with_capacity(flow.program.pointers.len()),
            counts: vec![[0; 4]; n_buffers],
            since: vec![None; n_buffers],
            touched: Vec::new(),
            intervals: vec![Vec::new(); n_buffers],
            overlaps_itself: FixedBitSet::with_capacity(n_buffers),
            allocations: Vec::new(),
        }
    }

    fn program(&self) -> &'a Program {
        self.flow.program
    }

    fn reachable_block(&mut self, block: BlockId, content: &[SharedSet], mut state: State) {
        let mut live = self.flow.at_end_of(block, content);
        let mut changes = Vec::new();
        walk_back(self.flow, self.effects, block, &mut live, |change| {
            changes.push(change)
        });
        for name in live.ones() {
            self.enter(&state, PointerId::new(name));
        }
        let steps = self.flow.steps(block);
        let end = Point::early(StepId::new(steps.end));
        for step in steps {
            self.step(StepId::new(step), &mut changes, &mut state);
        }
        self.close_block(end, &state);
    }

    /// Processes one step. Its changes are at the end of `changes`, in reverse order of execution.
    fn step(&mut self, id: StepId, changes: &mut Vec<Change>, state: &mut State) {
        let step = &self.program().steps[id.index()];
        let effects = &self.effects[id.index()];
        for &buffer in &step.allocates {
            self.allocate(id, buffer, state);
        }
        self.apply(id, Phase::Allocate, changes, state);
        self.apply(id, Phase::Unbind, changes, state);
        state.bind(self.program(), &step.bindings);
        self.apply(id, Phase::Bind, changes, state);
        self.reach_point(Point::early(id), state);
        for &name in &effects.defines {
            state.access(self.program(), name);
            self.touch(&state.referents(self.program(), name));
        }
        self.apply(id, Phase::Write, changes, state);
        self.reach_point(Point::late(id), state);
        for &name in &effects.uses {
            let referents = state.referents(self.program(), name);
            self.occupy_while_read(id, &referents);
            state.access(self.program(), name);
            self.touch(&referents);
        }
        self.apply(id, Phase::Leave, changes, state);
    }

    fn allocate(&mut self, step: StepId, buffer: BufferId, state: &mut State) {
        if !self.flow.is_bound(buffer) {
            state.allocate(self.flow, buffer);
            self.touched.push(buffer);
            return;
        }
        let older: Vec<PointerId> = state.merges_denoting(buffer).collect();
        // Present merges are counted under the ages that they denote, and the allocation changes
        // those.
        let present: Vec<PointerId> = older
            .iter()
            .copied()
            .filter(|x| self.present.contains(x.index()))
            .collect();
        for &name in &present {
            self.leave(state, name);
        }
        state.allocate(self.flow, buffer);
        for &name in &present {
            self.enter(state, name);
        }
        self.touched.push(buffer);
        self.allocations.push(Allocation {
            step,
            buffer,
            older,
        });
    }

    fn apply(&mut self, step: StepId, phase: Phase, changes: &mut Vec<Change>, state: &State) {
        while let Some(change) = changes.pop_if(|c| c.step == step && c.phase == phase) {
            match phase {
                Phase::Allocate | Phase::Bind | Phase::Write => self.enter(state, change.name),
                Phase::Unbind | Phase::Leave => self.leave(state, change.name),
            }
        }
    }

    fn enter(&mut self, state: &State, name: PointerId) {
        self.present.insert(name.index());
        let referents = state.referents(self.program(), name);
        for &(buffer, ages) in &referents {
            self.counts[buffer.index()][ages.index()] += 1;
        }
        self.touch(&referents);
    }

    fn leave(&mut self, state: &State, name: PointerId) {
        self.present.remove(name.index());
        let referents = state.referents(self.program(), name);
        for &(buffer, ages) in &referents {
            self.counts[buffer.index()][ages.index()] -= 1;
        }
        self.touch(&referents);
    }

    fn touch(&mut self, referents: &Referents) {
        self.touched
            .extend(referents.iter().map(|&(buffer, _)| buffer));
    }

    /// Updates `since` to the counts at `point`.
    fn reach_point(&mut self, point: Point, state: &State) {
        for buffer in std::mem::take(&mut self.touched) {
            let (n_any, n_older) =
                // Two names may denote different instances as soon as one of them may denote an
                // older one.
                count_accessed(self.counts[buffer.index()], state.accessed(buffer));
            if n_older >= 1 && n_any >= 2 {
                self.overlaps_itself.insert(buffer.index());
            }
            match (self.since[buffer.index()], n_any > 0) {
                (None, true) => self.since[buffer.index()] = Some(point),
                (Some(_), false) => self.close(buffer, point),
                _ => {}
            }
        }
    }

    fn close(&mut self, buffer: BufferId, end: Point) {
        if let Some(start) = self.since[buffer.index()].take() {
            self.intervals[buffer.index()].push(Interval::new(start, end));
        }
    }

    /// Bytes are in place while they are read, even if no write defined them: a program that reads
    /// undefined bytes must not read past the arena.
    fn occupy_while_read(&mut self, step: StepId, referents: &Referents) {
        let whole_step = Interval::of_steps(step, step);
        for &(buffer, _) in referents {
            let is_covered =
                self.since[buffer.index()].is_some_and(|start| start <= whole_step.start);
            if !is_covered {
                self.intervals[buffer.index()].push(whole_step);
            }
        }
    }

    fn close_block(&mut self, end: Point, state: &State) {
        // Intervals end with the block, since control may go on anywhere.
        let present: Vec<usize> = self.present.ones().collect();
        for name in present {
            self.leave(state, PointerId::new(name));
        }
        for buffer in std::mem::take(&mut self.touched) {
            self.close(buffer, end);
        }
    }

    /// No name is live in an unreachable block, but buffers accessed there need an address.
    fn unreachable_block(&mut self, block: BlockId) {
        for step in self.flow.steps(block) {
            let whole_step = Interval::of_steps(StepId::new(step), StepId::new(step));
            for name in self.effects[step].accessed() {
                let kind = self.program().pointers[name.index()].kind;
                if let PointerKind::Buffer(buffer) = kind {
                    self.intervals[buffer.index()].push(whole_step);
                }
            }
        }
    }
}

/// The number of names that may denote an accessed instance, and how many of them may denote an older
/// one.
fn count_accessed(counts: Counts, accessed: Ages) -> (u32, u32) {
    let mut n_any = 0;
    let mut n_older = 0;
    for ages in [Ages::NEWEST, Ages::OLDER, Ages::BOTH] {
        let n_names = counts[ages.index()];
        if ages.has(accessed) {
            n_any += n_names;
        }
        if ages.and(accessed).has(Ages::OLDER) {
            n_older += n_names;
        }
    }
    (n_any, n_older)
}
