//! The buffers that each pointer may denote at any point of a program, without the ages of their
//! instances, which `dependence` knows.

use std::collections::BTreeSet;

use mem_model::{Binding, BufferId, PointerId, PointerKind, Program};

/// Follows bindings from their sources to their targets until nothing changes. `pass` adds to what is known of the
/// second pointer what is known of the first, and returns whether that changed anything.
pub(crate) fn propagate(program: &Program, mut pass: impl FnMut(PointerId, PointerId) -> bool) {
    let mut targets: Vec<Vec<PointerId>> = vec![Vec::new(); program.pointers.len()];
    let mut work = Vec::new();
    for Binding { target, sources } in program.bindings() {
        for source in sources {
            targets[source.index()].push(*target);
            work.push(*source);
        }
    }
    work.reverse();
    while let Some(source) = work.pop() {
        for &target in &targets[source.index()] {
            if pass(source, target) {
                work.push(target);
            }
        }
    }
}

/// Indexed by pointer: the buffers that it may denote; `None`: too many.
pub struct Denoted(Vec<Option<BTreeSet<BufferId>>>);

impl Denoted {
    /// Propagates buffers along bindings to a fixed point. A merge that may denote more than `most` buffers
    /// is as one that denotes none. O(bindings × buffers of a merge).
    #[must_use]
    pub fn new(program: &Program, most: usize) -> Self {
        let start = |pointer: &mem_model::Pointer| match pointer.kind {
            PointerKind::Buffer(buffer) => BTreeSet::from([buffer]),
            PointerKind::Merge => BTreeSet::new(),
        };
        let sets = program.pointers.iter().map(|own| Some(start(own)));
        let mut denoted = Self(sets.collect());
        propagate(program, |source, target| {
            let more = denoted.0[source.index()].clone();
            denoted.add(target, more.as_ref(), most)
        });
        denoted
    }

    /// Adds buffers to those that a merge may denote; `None`: too many. Returns whether that changed
    /// anything.
    fn add(&mut self, merge: PointerId, more: Option<&BTreeSet<BufferId>>, most: usize) -> bool {
        let own = &mut self.0[merge.index()];
        let Some(known) = own else {
            return false;
        };
        let n_before = known.len();
        known.extend(more.into_iter().flatten());
        let n_after = known.len();
        if more.is_none() || n_after > most {
            *own = None;
            return true;
        }
        n_after > n_before
    }

    /// The buffers that a pointer may denote, in ascending order; none if there are too many.
    #[must_use]
    pub fn of(&self, pointer: PointerId) -> &BTreeSet<BufferId> {
        const NONE: &BTreeSet<BufferId> = &BTreeSet::new();
        self.0[pointer.index()].as_ref().unwrap_or(NONE)
    }
}
