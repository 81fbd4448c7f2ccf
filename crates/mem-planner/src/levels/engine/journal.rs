//! Speculative planning: steps can be undone, and states are compared by fingerprint.

use std::hash::{DefaultHasher, Hash, Hasher};

use mem_cost::{access_cost, repeats_before, transfer_cost};
use mem_model::{LevelId, PlacementId, TensorId, TensorUse};

use super::{Engine, Held, State};
use crate::levels::LevelNoFit;
use crate::levels::space::Busy;

/// Requested action for one operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::levels) enum Wanted {
    /// `swap`: the operand is in this level, and in no other but its home; `reuse` if it takes over
    /// the bytes of a dying operand there.
    In(LevelId),
    /// `move`: the operand is in another free space of this level, by index.
    Space(LevelId, usize),
    /// After the step, the operand is in this level, and in no other but its home.
    Leave(LevelId),
}

/// Inverse of a change.
#[derive(Debug)]
enum Undo {
    State(TensorId, State),
    Taken(LevelId, u64, PlacementId),
    Left(LevelId, Busy),
    End(PlacementId, usize),
}

/// All changes since the recording began.
#[derive(Debug, Default)]
pub(super) struct Journal {
    is_on: bool,
    changes: Vec<Undo>,
    /// Fingerprint of the state of all tensors except those in `dirty`.
    print: u64,
    dirty: Vec<TensorId>,
    /// Indexed by tensor: it is in `dirty`.
    is_dirty: Vec<bool>,
}

/// A point to roll back to.
#[derive(Clone, Copy, Debug)]
pub(in crate::levels) struct Mark {
    n_changes: usize,
    n_placements: usize,
    n_transfers: usize,
    n_accessed: usize,
}

/// Fingerprint of the part of a tensor's state that the initial policy depends on. Placement
/// numbers do not matter.
fn print(tensor: TensorId, state: &State) -> u64 {
    // `last_use`, `pinned_until` and `is_defined` depend on the step alone, and only fingerprints
    // before the same step are compared.
    let mut sum = 0_u64;
    for copy in &state.copies {
        // Its keys are fixed, so a search takes the same course in every run.
        let mut hasher = DefaultHasher::new();
        (tensor.index(), copy.level, copy.offset, copy.is_good).hash(&mut hasher);
        sum = sum.wrapping_add(hasher.finish());
    }
    // The first load is free only once.
    sum.wrapping_add(u64::from(state.free_load.is_some()) << 32)
}

impl Engine<'_> {
    /// Starts to record changes, so that steps can be undone.
    pub(crate) fn record(&mut self) {
        self.journal = Journal {
            is_on: true,
            // A flag per tensor: searching the list for every change would be quadratic.
            is_dirty: vec![false; self.states.len()],
            ..Journal::default()
        };
        for (tensor, state) in self.states.iter().enumerate() {
            self.journal.print ^= print(TensorId::new(tensor), state);
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            n_changes: self.journal.changes.len(),
            n_placements: self.plan.placements.len(),
            n_transfers: self.plan.transfers.len(),
            n_accessed: self.plan.accessed.len(),
        }
    }

    /// Undoes all changes since `mark`. Linear in their number.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        // A step that failed leaves its request unanswered.
        self.wanted = None;
        // In reverse order, so that each inverse meets the state that its change left.
        while self.journal.changes.len() > mark.n_changes {
            match self.journal.changes.pop() {
                Some(Undo::State(tensor, state)) => {
                    self.soil(tensor);
                    self.states[tensor.index()] = state;
                }
                Some(Undo::Taken(level, offset, placement)) => {
                    self.spaces[level.index()].leave(offset, placement);
                }
                Some(Undo::Left(level, busy)) => self.spaces[level.index()].put_back(busy),
                Some(Undo::End(placement, end)) => {
                    self.plan.placements[placement.index()].steps.end = end
                }
                None => {}
            }
        }
        // Lists only grow, so their lengths are enough to restore them.
        self.plan.placements.truncate(mark.n_placements);
        self.plan.transfers.truncate(mark.n_transfers);
        self.plan.accessed.truncate(mark.n_accessed);
    }

    /// Forgets the recorded changes: no earlier mark may be used any more.
    pub(crate) fn forget(&mut self) {
        self.journal.changes.clear();
    }

    /// Fingerprint of the current state: equal if all tensors are in the same places.
    pub(crate) fn print(&mut self) -> u64 {
        for tensor in std::mem::take(&mut self.journal.dirty) {
            self.journal.print ^= print(tensor, &self.states[tensor.index()]);
            self.journal.is_dirty[tensor.index()] = false;
        }
        self.journal.print
    }

    /// Takes a tensor out of the fingerprint until the next call of `print`.
    fn soil(&mut self, tensor: TensorId) {
        // Exclusive or removes what it added. Only the first change after a print has to do so.
        if !std::mem::replace(&mut self.journal.is_dirty[tensor.index()], true) {
            self.journal.print ^= print(tensor, &self.states[tensor.index()]);
            self.journal.dirty.push(tensor);
        }
    }

    pub(super) fn state(&mut self, tensor: TensorId) -> &mut State {
        if self.journal.is_on {
            // Before the change: the fingerprint still contains the print of the old state.
            self.soil(tensor);
            let before = self.states[tensor.index()].clone();
            self.journal.changes.push(Undo::State(tensor, before));
        }
        &mut self.states[tensor.index()]
    }

    pub(super) fn take(&mut self, level: LevelId, offset: u64, size: u64, placement: PlacementId) {
        let until = self.plan.placements[placement.index()].steps.end;
        self.spaces[level.index()].take(offset, size, placement, until);
        if self.journal.is_on {
            let change = Undo::Taken(level, offset, placement);
            self.journal.changes.push(change);
        }
    }

    pub(super) fn leave(&mut self, level: LevelId, offset: u64, placement: PlacementId) {
        let busy = self.spaces[level.index()].leave(offset, placement);
        if let Some(busy) = busy.filter(|_| self.journal.is_on) {
            self.journal.changes.push(Undo::Left(level, busy));
        }
    }

    pub(super) fn end(&mut self, placement: PlacementId, step: usize) {
        let end = &mut self.plan.placements[placement.index()].steps.end;
        if self.journal.is_on {
            self.journal.changes.push(Undo::End(placement, *end));
        }
        *end = step;
    }

    /// Plans one step, with a requested action for one of its operands. Returns the cycles of the
    /// step, copies included.
    ///
    /// # Errors
    /// If something does not fit, or the action is impossible.
    pub(crate) fn play(
        &mut self,
        step: usize,
        wanted: Option<(TensorId, Wanted)>,
    ) -> Result<u64, LevelNoFit> {
        let first = self.plan.transfers.len();
        // `Leave` takes effect only after the step: its operands are pinned until then.
        self.wanted = wanted.filter(|(_, wanted)| !matches!(wanted, Wanted::Leave(_)));
        self.advance(step)?;
        self.wanted = None;
        if let Some((tensor, Wanted::Leave(level))) = wanted
            && !self.leave_for(tensor, level, step + 1)
        {
            // The trial fails as a whole: without the action, it would be the trial of another
            // choice.
            return Err(LevelNoFit {
                step,
                tensor,
                level,
                missing: 1,
                alive: Vec::new(),
            });
        }
        Ok(self.cycles(step, first))
    }

    /// Cycles of a step, and of the transfers from index `first` on.
    fn cycles(&self, step: usize, first: usize) -> u64 {
        let problem = self.problem;
        let level = |placement: PlacementId| self.plan.placements[placement.index()].level;
        let mut cycles = 0_u64;
        for transfer in &self.plan.transfers[first..] {
            let tensor = self.plan.placements[transfer.from.index()].tensor;
            let size = problem.tensors[tensor.index()].size;
            let (from, to) = (level(transfer.from), level(transfer.to));
            let own = transfer_cost(&problem.hierarchy, size, from, to);
            // The first load of a preloaded tensor happens before the program starts.
            let is_free = self.states[tensor.index()].free_load == Some(transfer.to)
                && self.plan.placements[transfer.from.index()].offset.is_none();
            let times = repeats_before(problem, tensor, transfer.before) - u64::from(is_free);
            cycles = cycles.saturating_add(own.saturating_mul(times));
        }
        let (Some(at), Some(accessed)) = (problem.steps.get(step), self.plan.accessed.get(step))
        else {
            return cycles;
        };
        let accesses = access_cost(&problem.hierarchy, at, |index| level(accessed[index]));
        let own = at.cycles.saturating_add(accesses);
        cycles.saturating_add(own.saturating_mul(at.repeats.max(1)))
    }

    /// Whether a step accesses an operand in a slower level than the fastest that it accepts.
    pub(crate) fn is_slow(&self, step: usize) -> bool {
        let uses = self.problem.steps[step].uses.iter();
        let mut accessed = uses.zip(self.plan.accessed.get(step).into_iter().flatten());
        accessed.any(|(used, at)| {
            let level = self.plan.placements[at.index()].level;
            (0..level.index()).any(|faster| used.accepts(LevelId::new(faster)))
        })
    }

    /// Places an operand as requested; `None` if that is impossible.
    pub(super) fn force(
        &mut self,
        used: &TensorUse,
        step: usize,
        uses: &[TensorUse],
        wanted: Wanted,
        is_needed: bool,
    ) -> Option<Held> {
        let tensor = used.tensor;
        let (level, number) = match wanted {
            Wanted::In(level) => (level, None),
            Wanted::Space(level, number) => (level, Some(number)),
            Wanted::Leave(_) => return None,
        };
        let copies = &self.states[tensor.index()].copies;
        let is_here = copies.iter().any(|copy| copy.level == level);
        // A swap goes to another level and a move to another address of the same one; otherwise the
        // request changes nothing.
        let is_other = is_here == number.is_some() || copies.is_empty();
        if !used.accepts(level) || !is_other || !self.returns(tensor, level) {
            return None;
        }
        let source = self.source(tensor, level);
        if source.is_none() && is_needed {
            return None;
        }
        let offset = match number {
            None => self.room(used, level, step, uses)?,
            Some(number) => {
                let own = &self.problem.tensors[tensor.index()];
                let (size, alignment) = (own.size.get(), own.alignment.get());
                self.spaces[level.index()].find_number(size, alignment, number)?
            }
        };
        let copy = self.open(tensor, level, offset, step);
        if let (Some(source), true) = (source, is_needed) {
            // Homes keep their contents; `close_others` ends any other source.
            let keeps_source = source.offset.is_none();
            self.transfer(source.placement, copy.placement, step, keeps_source);
        }
        self.close_others(tensor, Some(copy.placement), step);
        Some(copy)
    }

    /// Closes all placements of a tensor except its home, and `kept` if there is one.
    fn close_others(&mut self, tensor: TensorId, kept: Option<PlacementId>, step: usize) {
        for copy in self.states[tensor.index()].copies.clone() {
            if copy.offset.is_some() && Some(copy.placement) != kept {
                self.close(tensor, copy, step);
            }
        }
    }

    /// Moves a tensor to a level before a step. Returns whether that was possible.
    fn leave_for(&mut self, tensor: TensorId, level: LevelId, before: usize) -> bool {
        let own = &self.problem.tensors[tensor.index()];
        let is_over = self.lives.dies[tensor.index()] <= before
            || self.states[tensor.index()].pinned_until > before;
        if !own.can_move_before(before) || is_over || !self.is_needed_from(tensor, before) {
            return false;
        }
        // A home takes no address: writing it back is enough.
        if own.home == Some(level) {
            self.write_back(tensor, before);
            let mut copies = self.states[tensor.index()].copies.iter();
            let is_home = copies.any(|copy| copy.offset.is_none() && copy.is_good);
            if is_home {
                self.close_others(tensor, None, before);
            }
            return is_home;
        }
        let mut copies = self.states[tensor.index()].copies.iter();
        if copies.any(|copy| copy.level == level) {
            return false;
        }
        let (size, alignment) = (own.size.get(), own.alignment.get());
        let source = self
            .source(tensor, level)
            .filter(|_| self.returns(tensor, level));
        // Only free bytes: the initial policy, which local search replans by, never evicts.
        let offset = self.spaces[level.index()].find(size, alignment);
        let (Some(source), Some(offset)) = (source, offset) else {
            return false;
        };
        let copy = self.open(tensor, level, offset, before);
        let keeps_source = source.offset.is_none();
        self.transfer(source.placement, copy.placement, before, keeps_source);
        self.close_others(tensor, Some(copy.placement), before);
        true
    }
}
