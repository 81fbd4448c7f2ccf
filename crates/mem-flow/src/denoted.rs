//! The buffers that each pointer may denote at any point of a program, without the ages of their
//! instances, which `dependence` knows.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::{Binding, BufferId, Pointer, PointerId, Program};
use rustc_hash::FxHashMap as HashMap;

/// Follows bindings from their sources to their targets until nothing changes. `pass` adds to what is known of the
/// second pointer what is known of the first, and returns whether that changed anything.
pub(crate) fn propagate<'b>(
    bindings: impl IntoIterator<Item = &'b Binding>,
    mut pass: impl FnMut(PointerId, PointerId) -> bool,
) {
    let mut targets: HashMap<PointerId, Vec<PointerId>> = HashMap::default();
    let mut work = Vec::new();
    for Binding { target, sources } in bindings {
        for source in sources {
            targets.entry(*source).or_default().push(*target);
            work.push(*source);
        }
    }
    work.reverse();
    while let Some(source) = work.pop() {
        for &target in targets.get(&source).into_iter().flatten() {
            if pass(source, target) {
                work.push(target);
            }
        }
    }
}

/// The buffers that each pointer may denote.
pub struct Denoted {
    /// Indexed by pointer: the buffer that it is the start of; `None` for merges.
    own: Vec<Option<BufferId>>,
    /// Of merges that may denote a buffer, in ascending order; none if there are too many.
    merges: BTreeMap<PointerId, Vec<BufferId>>,
}

impl Denoted {
    /// Propagates buffers along bindings to a fixed point, as inclusion constraints (Andersen, "Program
    /// analysis and specialization for the C programming language", 1994). A merge that may denote more than
    /// `most` buffers is as one that denotes none. O(bindings × buffers of a merge).
    #[must_use]
    pub fn new(program: &Program, most: usize) -> Self {
        Self::of_bindings(&program.pointers, program.bindings(), most)
    }

    /// As [`new`](Self::new), for a program under construction.
    #[must_use]
    pub fn of_bindings<'b>(
        pointers: &[Pointer],
        bindings: impl IntoIterator<Item = &'b Binding>,
        most: usize,
    ) -> Self {
        let own: Vec<_> = pointers.iter().map(|own| own.kind.buffer()).collect();
        // `None`: too many.
        let mut merges: BTreeMap<PointerId, Option<BTreeSet<BufferId>>> = BTreeMap::new();
        propagate(bindings, |source, target| {
            let more = match own[source.index()] {
                Some(buffer) => Some(BTreeSet::from([buffer])),
                None => merges.entry(source).or_insert_with(some_empty).clone(),
            };
            add(merges.entry(target).or_insert_with(some_empty), more, most)
        });
        let merges = merges.into_iter().map(|(merge, buffers)| {
            let buffers = buffers.unwrap_or_default();
            (merge, buffers.into_iter().collect())
        });
        Self {
            merges: merges.collect(),
            own,
        }
    }

    /// The buffers that a pointer may denote, in ascending order; none if there are too many.
    #[must_use]
    pub fn of(&self, pointer: PointerId) -> &[BufferId] {
        match &self.own[pointer.index()] {
            Some(buffer) => std::slice::from_ref(buffer),
            None => self.merges.get(&pointer).map_or(&[], Vec::as_slice),
        }
    }
}

fn some_empty() -> Option<BTreeSet<BufferId>> {
    Some(BTreeSet::new())
}

/// Adds buffers to those that a merge may denote; `None`: too many. Returns whether that changed
/// anything.
fn add(to: &mut Option<BTreeSet<BufferId>>, more: Option<BTreeSet<BufferId>>, most: usize) -> bool {
    let Some(known) = to else {
        return false;
    };
    let n_before = known.len();
    let is_any = more.is_none();
    known.extend(more.into_iter().flatten());
    let n_after = known.len();
    if is_any || n_after > most {
        *to = None;
        return true;
    }
    n_after > n_before
}
