//! Instances that merges may denote, and instances that may have been accessed.
//!
//! The abstraction is *recency*: for each buffer, the newest instance is distinguished from all
//! older ones together. A step that allocates a buffer turns the newest instance into an older one
//! in every merge. Both analyses run forward; sets only grow, and the join is union.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use mem_model::{Binding, BlockId, BufferId, PointerId, PointerKind, Program, SharedSet, Storage};

use crate::bits::take;
use crate::effects::Effects;
use crate::reach::Flow;

/// A subset of {newest, older}, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ages(u8);

impl Ages {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NEWEST: Self = Self(1);
    pub(crate) const OLDER: Self = Self(2);
    pub(crate) const BOTH: Self = Self(3);

    /// The set as a number below 4.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Self) -> bool {
        self.and(other) != Self::NONE
    }
}

/// The buffers that a name may denote, in ascending order, each with ages.
pub(crate) type Referents = Vec<(BufferId, Ages)>;

/// State of the analysis at one moment of the execution.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Indexed by merge. A merge without an entry is unbound, or never accessed again.
    merges: BTreeMap<PointerId, Referents>,
    newest_accessed: SharedSet,
    older_accessed: SharedSet,
}

impl State {
    fn at_entry(program: &Program) -> Self {
        let mut newest_accessed = SharedSet::default();
        for (index, buffer) in program.buffers.iter().enumerate() {
            if buffer.storage == Storage::External {
                newest_accessed.insert(index);
            }
        }
        Self {
            merges: BTreeMap::new(),
            newest_accessed,
            older_accessed: SharedSet::default(),
        }
    }

    /// The instances that `name` may denote.
    pub(crate) fn referents(&self, program: &Program, name: PointerId) -> Referents {
        match program.pointers[name.index()].kind {
            PointerKind::Buffer(buffer) => vec![(buffer, Ages::NEWEST)],
            PointerKind::Merge => self.merges.get(&name).cloned().unwrap_or_default(),
        }
    }

    /// The instances of `buffer` that may have been accessed.
    pub(crate) fn accessed(&self, buffer: BufferId) -> Ages {
        let newest = self.newest_accessed.contains(buffer.index());
        let older = self.older_accessed.contains(buffer.index());
        match (newest, older) {
            (false, false) => Ages::NONE,
            (true, false) => Ages::NEWEST,
            (false, true) => Ages::OLDER,
            (true, true) => Ages::BOTH,
        }
    }

    /// The merges that may denote an instance of `buffer`, in ascending order.
    pub(crate) fn merges_denoting(&self, buffer: BufferId) -> impl Iterator<Item = PointerId> + '_ {
        let denotes = move |all: &Referents| all.binary_search_by_key(&buffer, |r| r.0).is_ok();
        self.merges
            .iter()
            .filter(move |(_, referents)| denotes(referents))
            .map(|(&name, _)| name)
    }

    /// Makes a new instance of `buffer`; the newest one becomes an older one.
    pub(crate) fn allocate(&mut self, flow: &Flow<'_>, buffer: BufferId) {
        // Most buffers are never bound. A scan of all merges for each of them would be quadratic.
        if flow.is_bound(buffer) {
            for referents in self.merges.values_mut() {
                for (_, ages) in referents.iter_mut().filter(|(b, _)| *b == buffer) {
                    *ages = Ages::OLDER;
                }
            }
        }
        if self.newest_accessed.take(buffer.index()) {
            self.older_accessed.insert(buffer.index());
        }
    }

    /// Binds merges simultaneously: all sources are read before any target is bound.
    pub(crate) fn bind(&mut self, program: &Program, bindings: &[Binding]) {
        let values: Vec<_> = bindings
            .iter()
            .map(|binding| {
                let mut all = Referents::new();
                for &source in &binding.sources {
                    join_referents(&mut all, &self.referents(program, source));
                }
                (binding.target, all)
            })
            .collect();
        self.merges.extend(values);
    }

    /// Marks the instances that `name` may denote as possibly accessed.
    pub(crate) fn access(&mut self, program: &Program, name: PointerId) {
        for (buffer, ages) in self.referents(program, name) {
            if ages.has(Ages::NEWEST) {
                self.newest_accessed.insert(buffer.index());
            }
            if ages.has(Ages::OLDER) {
                self.older_accessed.insert(buffer.index());
            }
        }
    }

    /// Joins the state of another path; true if the state changed.
    fn join(&mut self, other: &Self) -> bool {
        let mut changed = self.newest_accessed.join(&other.newest_accessed);
        changed |= self.older_accessed.join(&other.older_accessed);
        for (&name, referents) in &other.merges {
            changed |= join_referents(self.merges.entry(name).or_default(), referents);
        }
        changed
    }
}

/// Indexed by block: the state at its start; `None` for unreachable blocks. Only merges in
/// `accessed`, the names that are accessed later, are kept.
pub(crate) fn on_entry_to_blocks(
    flow: &Flow<'_>,
    effects: &[Effects],
    accessed: &[SharedSet],
) -> Vec<Option<State>> {
    let program = flow.program;
    let mut on_entry: Vec<Option<State>> = vec![None; program.blocks.len()];
    on_entry[0] = Some(State::at_entry(program));
    let mut pending = FixedBitSet::with_capacity(program.blocks.len());
    pending.insert(0);
    let mut any_pending = true;
    while any_pending {
        any_pending = false;
        for &block in &flow.order {
            if !take(&mut pending, block.index()) {
                continue;
            }
            let Some(mut state) = on_entry[block.index()].clone() else {
                continue;
            };
            through_block(flow, effects, block, &mut state);
            for edge in &program.blocks[block.index()].successors {
                let target = edge.target.index();
                let mut passed = state.clone();
                passed.bind(program, &edge.bindings);
                // Merges that are never accessed again would only make states grow.
                passed
                    .merges
                    .retain(|name, _| accessed[target].contains(name.index()));
                let changed = match &mut on_entry[target] {
                    Some(known) => known.join(&passed),
                    unknown => {
                        *unknown = Some(passed);
                        true
                    }
                };
                if changed {
                    pending.insert(target);
                    any_pending = true;
                }
            }
        }
    }
    on_entry
}

fn through_block(flow: &Flow<'_>, effects: &[Effects], block: BlockId, state: &mut State) {
    for index in flow.steps(block) {
        let step = &flow.program.steps[index];
        for &buffer in &step.allocates {
            state.allocate(flow, buffer);
        }
        state.bind(flow.program, &step.bindings);
        for name in effects[index].accessed() {
            state.access(flow.program, name);
        }
    }
}

fn join_referents(all: &mut Referents, more: &Referents) -> bool {
    let mut changed = false;
    for &(buffer, ages) in more {
        match all.binary_search_by_key(&buffer, |&(b, _)| b) {
            Ok(position) => {
                let joined = all[position].1.or(ages);
                changed |= joined != all[position].1;
                all[position].1 = joined;
            }
            Err(position) => {
                all.insert(position, (buffer, ages));
                changed = true;
            }
        }
    }
    changed
}
