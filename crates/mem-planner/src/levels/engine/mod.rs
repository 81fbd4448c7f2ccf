//! Walks the steps of a program, and tracks the location of every tensor.

mod journal;
mod room;

use std::collections::BTreeMap;

use mem_cost::serial_cost;
use mem_model::{
    Bytes, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, PlacementId, TensorId,
    TensorUse, Transfer,
};

use self::journal::Journal;
pub(super) use self::journal::Wanted;
use super::space::Space;
use super::{LevelNoFit, LevelPolicy};

/// An open placement of a tensor.
#[derive(Clone, Copy, Debug)]
struct Held {
    placement: PlacementId,
    level: LevelId,
    /// `None`: at home.
    offset: Option<u64>,
    /// It holds the current contents of the tensor.
    is_good: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    copies: Vec<Held>,
    /// Last step that used the tensor.
    last_use: Option<usize>,
    /// The tensor must not leave before this step.
    pinned_until: usize,
    is_defined: bool,
    /// Target placement of the tensor's first load, if that load was free.
    free_load: Option<PlacementId>,
}

pub(super) struct Engine<'a> {
    problem: &'a LevelProblem,
    policy: LevelPolicy,
    /// Per tensor: the steps that use it.
    uses: Vec<Vec<usize>>,
    lives: Lives,
    spaces: Vec<Space>,
    states: Vec<State>,
    plan: LevelPlan,
    journal: Journal,
    /// Requested action for an operand of the next step.
    wanted: Option<(TensorId, Wanted)>,
}

/// When tensors must be placed and when they die, loops included.
struct Lives {
    /// Per tensor: the first step that no longer needs it.
    dies: Vec<usize>,
    /// Keyed by step: loop-carried tensors of the loops that begin there, each with the end of its
    /// loop.
    entering: BTreeMap<usize, Vec<(TensorId, usize)>>,
    /// Keyed by step: tensors that die before it.
    dying: BTreeMap<usize, Vec<TensorId>>,
}

impl Lives {
    /// `uses`: per tensor, the steps that use it.
    fn new(problem: &LevelProblem, uses: &[Vec<usize>]) -> Self {
        let mut lives = Self {
            dies: vec![0; problem.tensors.len()],
            entering: BTreeMap::new(),
            dying: BTreeMap::new(),
        };
        for (index, tensor) in problem.tensors.iter().enumerate() {
            // An unused tensor stays at home for the whole program, so nothing happens to it.
            let Some(last) = uses[index].last() else {
                continue;
            };
            lives.dies[index] = last + 1;
            for frozen in &tensor.frozen {
                lives.carry(TensorId::new(index), *frozen, &uses[index]);
            }
            // Read only now: a loop that carries the tensor around extends its life beyond the last
            // use.
            let dies = lives.dies[index];
            lives
                .dying
                .entry(dies)
                .or_default()
                .push(TensorId::new(index));
        }
        lives
    }

    /// Records a loop that carries a tensor around, if the tensor is used in it: it enters with the
    /// step before the loop, and lives at least until the loop ends.
    fn carry(&mut self, tensor: TensorId, frozen: Interval<usize>, uses: &[usize]) {
        let mut uses = uses.iter();
        // `frozen` leaves out the first step of the loop, before which the tensor may still move.
        if uses.any(|step| step + 1 >= frozen.start && *step < frozen.end) {
            let begins = frozen.start.saturating_sub(1);
            let entering = self.entering.entry(begins).or_default();
            entering.push((tensor, frozen.end));
            self.dies[tensor.index()] = self.dies[tensor.index()].max(frozen.end);
        }
    }
}

impl<'a> Engine<'a> {
    pub(super) fn new(problem: &'a LevelProblem, policy: LevelPolicy) -> Self {
        let mut uses = vec![Vec::new(); problem.tensors.len()];
        for (step, at) in problem.steps.iter().enumerate() {
            for used in &at.uses {
                uses[used.tensor.index()].push(step);
            }
        }
        let lives = Lives::new(problem, &uses);
        let levels = problem.hierarchy.levels.iter();
        // If the tensors with a home exceed a level, treat all bounded levels as full.
        let left = problem.capacities().unwrap_or_else(|_| {
            let none = |level: &mem_model::Level| level.capacity.map(|_| Bytes::ZERO);
            problem.hierarchy.levels.iter().map(none).collect()
        });
        let space = |(level, left): (&mem_model::Level, Option<Bytes>)| {
            Space::new(left.map(Bytes::get), level.alignment.get())
        };
        let mut engine = Self {
            problem,
            policy,
            uses,
            lives,
            spaces: levels.zip(left).map(space).collect(),
            states: vec![State::default(); problem.tensors.len()],
            plan: LevelPlan::at_home(problem),
            journal: Journal::default(),
            wanted: None,
        };
        engine.open_homes();
        engine
    }

    fn open_homes(&mut self) {
        // Homes take no addresses here: the capacities of the spaces already exclude them.
        for (index, own) in self.plan.placements.iter().enumerate() {
            let placement = PlacementId::new(index);
            let state = &mut self.states[own.tensor.index()];
            state.is_defined = true;
            state.copies.push(Held {
                placement,
                level: own.level,
                offset: None,
                is_good: true,
            });
        }
    }

    pub(super) fn run(mut self) -> Result<LevelPlan, LevelNoFit> {
        for step in 0..=self.problem.steps.len() {
            self.advance(step)?;
        }
        Ok(self.into_plan())
    }

    /// Plans one step and the actions before it; after the last step, only the latter.
    fn advance(&mut self, step: usize) -> Result<(), LevelNoFit> {
        self.bury(step);
        if step < self.problem.steps.len() {
            self.enter_loops(step)?;
            self.step(step)?;
        }
        Ok(())
    }

    pub(super) fn into_plan(mut self) -> LevelPlan {
        self.plan.cost = serial_cost(self.problem, &self.plan);
        self.plan
    }

    /// Writes results back home, and frees dead tensors.
    fn bury(&mut self, step: usize) {
        // Before anything of this step is placed, so that the freed bytes can be used.
        for tensor in self.lives.dying.get(&step).cloned().unwrap_or_default() {
            // The only valid copy may be among those closed below.
            if self.problem.tensors[tensor.index()].is_result {
                self.write_back(tensor, step);
            }
            for copy in self.states[tensor.index()].copies.clone() {
                self.close(tensor, copy, step);
            }
            self.state(tensor).copies.clear();
        }
    }

    /// Brings the home of a tensor up to date.
    fn write_back(&mut self, tensor: TensorId, step: usize) {
        let copies = &self.states[tensor.index()].copies;
        let home = copies.iter().position(|copy| copy.offset.is_none());
        let Some(home) = home else { return };
        let reaches = |copy: &Held| {
            let hierarchy = &self.problem.hierarchy;
            copy.is_good && hierarchy.connects(copy.level, copies[home].level)
        };
        let good = copies.iter().position(reaches);
        if let Some(good) = good
            && !copies[home].is_good
        {
            let (from, to) = (copies[good].placement, copies[home].placement);
            self.transfer(from, to, step, true);
            self.state(tensor).copies[home].is_good = true;
        }
    }

    fn transfer(&mut self, from: PlacementId, to: PlacementId, before: usize, keeps_source: bool) {
        let source = &self.plan.placements[from.index()];
        let (tensor, state) = (source.tensor, &self.states[source.tensor.index()]);
        // Only the load before the first use is free: later ones happen while the program runs.
        let is_first = state.last_use.is_none() && state.free_load.is_none();
        if self.problem.tensors[tensor.index()].is_preloaded && source.offset.is_none() && is_first
        {
            self.state(tensor).free_load = Some(to);
        }
        // A copy completes where it is issued; `overlap` stretches the copies of finished plans.
        self.plan.transfers.push(Transfer {
            before,
            from,
            to,
            keeps_source,
            until: before,
        });
    }

    fn close(&mut self, tensor: TensorId, copy: Held, step: usize) {
        // A home keeps its bytes to the end of the program, so there is nothing to free.
        if let Some(offset) = copy.offset {
            self.end(copy.placement, step);
            self.leave(copy.level, offset, copy.placement);
        }
        self.state(tensor)
            .copies
            .retain(|other| other.placement != copy.placement);
    }

    /// Opens a placement. It counts as valid at once: the caller has the tensor copied or written
    /// there.
    fn open(&mut self, tensor: TensorId, level: LevelId, offset: u64, step: usize) -> Held {
        let placement = PlacementId::new(self.plan.placements.len());
        self.plan.placements.push(LevelPlacement {
            tensor,
            level,
            offset: Some(Bytes::new(offset)),
            steps: Interval::new(step, self.lives.dies[tensor.index()]),
        });
        // The placement ends with the tensor unless `close` ends it earlier. `Space::find` relies
        // on this end to choose between two neighbours.
        let size = self.problem.tensors[tensor.index()].size.get();
        self.take(level, offset, size, placement);
        let copy = Held {
            placement,
            level,
            offset: Some(offset),
            is_good: true,
        };
        self.state(tensor).copies.push(copy);
        copy
    }

    /// Places the loop-carried tensors of the loops that begin at this step.
    fn enter_loops(&mut self, step: usize) -> Result<(), LevelNoFit> {
        for (tensor, until) in self.lives.entering.get(&step).cloned().unwrap_or_default() {
            let problem = self.problem;
            // Loops may carry many tensors around, and each is used by few of their steps.
            let steps = &self.uses[tensor.index()];
            let first = steps.partition_point(|used| *used < step);
            let inside = steps[first..].iter().take_while(|used| **used < until);
            let of_tensor: Vec<&TensorUse> = inside
                .flat_map(|step| &problem.steps[*step].uses)
                .filter(|used| used.tensor == tensor)
                .collect();
            // It stays in place, so all steps of the loop must accept the level.
            let levels = (0..self.spaces.len()).map(LevelId::new);
            let accepted = levels.filter(|level| of_tensor.iter().all(|used| used.accepts(*level)));
            // Stands for all uses in the loop: one byte read makes existing contents count as
            // needed.
            let used = TensorUse {
                tensor,
                reads: Bytes::new(u64::from(self.states[tensor.index()].is_defined)),
                writes: Bytes::ZERO,
                writes_all: !self.states[tensor.index()].is_defined,
                accepted: accepted.collect(),
                takes_over: None,
            };
            let is_written = of_tensor.iter().any(|used| used.writes > Bytes::ZERO);
            let copy = self.ensure(&used, step, &[])?;
            self.state(tensor).pinned_until = until;
            if is_written {
                // The next iteration must not read a copy that this iteration made stale.
                self.only(tensor, copy.placement, step);
            }
        }
        Ok(())
    }

    fn step(&mut self, step: usize) -> Result<(), LevelNoFit> {
        let problem = self.problem;
        let uses = &problem.steps[step].uses;
        let mut accessed = vec![PlacementId::new(0); uses.len()];
        // Operands are pinned until all are placed. Existing tensors come first, since they may be
        // in the way of new ones.
        for used in uses {
            let state = self.state(used.tensor);
            state.pinned_until = state.pinned_until.max(step + 1);
        }
        let mut order: Vec<usize> = (0..uses.len()).collect();
        let exists = |engine: &Self, index: usize| {
            !engine.states[uses[index].tensor.index()].copies.is_empty()
        };
        // Among equals, the largest comes first: it has the fewest gaps to choose from.
        order.sort_by_key(|index| {
            (
                !exists(self, *index),
                std::cmp::Reverse(problem.tensors[uses[*index].tensor.index()].size),
            )
        });
        for index in order {
            accessed[index] = self.ensure(&uses[index], step, uses)?.placement;
        }
        // Writes take effect after all operands are placed: an operand may be read in a copy that a
        // write of the same step makes stale.
        for (used, placement) in uses.iter().zip(&accessed) {
            self.state(used.tensor).last_use = Some(step);
            if used.writes > Bytes::ZERO {
                self.written(used.tensor, *placement, step);
            }
        }
        self.plan.accessed.push(accessed);
        Ok(())
    }

    /// Records a write to a placement, which makes all other copies stale.
    fn written(&mut self, tensor: TensorId, placement: PlacementId, step: usize) {
        self.state(tensor).is_defined = true;
        // From the next step on: this one may still read the other copies.
        self.only(tensor, placement, step + 1);
    }

    /// From a step on, only one placement holds the tensor.
    fn only(&mut self, tensor: TensorId, placement: PlacementId, step: usize) {
        for copy in &mut self.state(tensor).copies {
            copy.is_good = copy.placement == placement;
        }
        // A stale home stays listed, so that `write_back` still finds it.
        for copy in self.states[tensor.index()].copies.clone() {
            if copy.placement != placement && copy.offset.is_some() {
                self.close(tensor, copy, step);
            }
        }
    }

    /// Returns the copy that a step accesses, and makes it if necessary.
    fn ensure(
        &mut self,
        used: &TensorUse,
        step: usize,
        uses: &[TensorUse],
    ) -> Result<Held, LevelNoFit> {
        let tensor = used.tensor;
        let is_needed = self.states[tensor.index()].is_defined && used.needs_content();
        // A loop-carried tensor of a loop that begins here is already placed.
        let is_carried = self.states[tensor.index()].pinned_until > step + 1;
        let can_move = self.problem.tensors[tensor.index()].can_move_before(step) && !is_carried;
        let is_new = self.states[tensor.index()].copies.is_empty();
        if let Some((_, wanted)) = self.wanted.take_if(|(wanted, _)| *wanted == tensor) {
            // Local search asks for one action: anything else would be another trial.
            let copy = self.force(used, step, uses, wanted, is_needed);
            let copy = copy.filter(|_| can_move || is_new);
            return copy.ok_or_else(|| self.no_fit(used, step));
        }
        // Stale copies serve only where the contents do not matter and the tensor may move.
        let best = self.fastest(used, !is_needed && can_move);
        // A frozen tensor is used where it is, however slow the level.
        if let Some(best) = best
            && (!can_move || !self.is_wanted_faster(best, used))
        {
            return Ok(best);
        }
        // A new tensor has no contents to move, so it can be placed even where it is frozen.
        if (can_move || is_new)
            && let Some(copy) = self.bring(used, step, uses, best, is_needed)
        {
            return Ok(copy);
        }
        // There is no room in a faster level: the tensor is used where it is.
        best.ok_or_else(|| self.no_fit(used, step))
    }

    /// The copy in the fastest level that a use accepts. `any`: stale copies count, too.
    fn fastest(&self, used: &TensorUse, any: bool) -> Option<Held> {
        let copies = self.states[used.tensor.index()].copies.iter();
        let good = copies.filter(|copy| copy.is_good || any);
        good.filter(|copy| used.accepts(copy.level))
            .min_by_key(|copy| copy.level)
            .copied()
    }

    /// Whether the tensor may move to a faster level, if there is room.
    fn is_wanted_faster(&self, best: Held, used: &TensorUse) -> bool {
        let is_first = self.states[used.tensor.index()].last_use.is_none();
        // The initial policy decides once; a later move would be an eviction in disguise.
        let may_move = self.policy != LevelPolicy::Initial || is_first;
        may_move && (0..best.level.index()).any(|level| used.accepts(LevelId::new(level)))
    }

    /// Makes a copy in the fastest level that has room, if that level is faster than `best`.
    fn bring(
        &mut self,
        used: &TensorUse,
        step: usize,
        uses: &[TensorUse],
        best: Option<Held>,
        is_needed: bool,
    ) -> Option<Held> {
        let tensor = used.tensor;
        // Only a faster level is worth a copy.
        let limit = best.map_or(self.spaces.len(), |copy| copy.level.index());
        let mut levels: Vec<LevelId> = (0..limit).map(LevelId::new).collect();
        // A result in a level without a way home could never be returned.
        levels.retain(|level| used.accepts(*level) && self.returns(tensor, *level));
        for level in levels {
            let source = self.source(tensor, level);
            // Checked before `room`, which may evict others.
            if source.is_none() && is_needed {
                continue;
            }
            let Some(offset) = self.room(used, level, step, uses) else {
                continue;
            };
            // Making room may have closed the source.
            let source = self.source(tensor, level).or(source);
            let copy = self.open(tensor, level, offset, step);
            if let (Some(source), true) = (source, is_needed) {
                // The source stays, and is dropped without a copy where its bytes are needed.
                self.transfer(source.placement, copy.placement, step, true);
            }
            return Some(copy);
        }
        None
    }

    /// Whether the contents can be written back home from a level, if they have to be.
    fn returns(&self, tensor: TensorId, level: LevelId) -> bool {
        let own = &self.problem.tensors[tensor.index()];
        let home = own.home.filter(|_| own.is_result);
        home.is_none_or(|home| self.problem.hierarchy.connects(level, home))
    }

    /// A valid copy that can be copied to `level`.
    fn source(&self, tensor: TensorId, level: LevelId) -> Option<Held> {
        let copies = self.states[tensor.index()].copies.iter();
        let mut good = copies.filter(|copy| copy.is_good);
        good.find(|copy| self.problem.hierarchy.connects(copy.level, level))
            .copied()
    }

    /// Whether the contents of a tensor are needed from a step on.
    fn is_needed_from(&self, tensor: TensorId, step: usize) -> bool {
        let uses = &self.uses[tensor.index()];
        let own = &self.problem.tensors[tensor.index()];
        // After its last use, only a result is still needed: the caller reads it.
        let Some(next) = uses.get(uses.partition_point(|used| *used < step)) else {
            return own.is_result;
        };
        // In a loop, the next use in the program need not be the next one in time: the next
        // iteration may read the tensor first.
        let mut next = self.problem.steps[*next].uses.iter();
        let is_read = TensorUse::needs_content;
        own.carried_around(step).is_some()
            || next.any(|used| used.tensor == tensor && is_read(used))
    }

    fn no_fit(&self, used: &TensorUse, step: usize) -> LevelNoFit {
        let levels = (0..self.spaces.len()).map(LevelId::new);
        // The slowest accepted level is the last resort, so its lack of room is the reason.
        let level = levels
            .rev()
            .find(|level| used.accepts(*level))
            .unwrap_or(LevelId::FASTEST);
        let space = &self.spaces[level.index()];
        let alive: Vec<TensorId> = space
            .within(0, space.capacity())
            .map(|busy| self.plan.placements[busy.placement.index()].tensor)
            .collect();
        // Tensors that must be resident at this step, after all possible evictions.
        let pinned = alive
            .iter()
            .filter(|tensor| self.states[tensor.index()].pinned_until > step);
        let bytes = |tensor: &TensorId| self.problem.tensors[tensor.index()].size.get();
        let needed = pinned
            .filter(|tensor| **tensor != used.tensor)
            .map(bytes)
            .sum::<u64>()
            + bytes(&used.tensor);
        // The bytes may suffice and still not fit, because of gaps or alignment: report at least
        // one.
        LevelNoFit {
            step,
            tensor: used.tensor,
            level,
            missing: needed.saturating_sub(space.capacity()).max(1),
            alive,
        }
    }
}
