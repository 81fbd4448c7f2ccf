//! Points-to sets: the buffers that each pointer may denote, and whether it denotes the newest or
//! an older instance.
//!
//! Merges are values of SSA form. One set per merge is therefore as precise as one per program
//! point, except for ages: an allocation turns the newest instance into an older one in every merge
//! that denotes it. A merge still denotes the newest instance if the only step that allocates the
//! buffer strictly dominates the merge's home, because control that reaches this step again must
//! pass through the home before it reaches another use. Otherwise the merge may denote either.
//! O(bindings × referents of a merge).

use mem_model::{BufferId, PointerId, Program};

use super::scope::{Home, Scope};
use crate::denoted::propagate;
use crate::graph::Graph;

/// Some instances of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Referent {
    pub buffer: BufferId,
    pub newest: bool,
    pub older: bool,
    /// Whether the pointer points to the first byte.
    pub at_start: bool,
}

/// The referents of all pointers.
pub(super) struct Referents {
    /// All sets, one after the other, each in ascending order of buffers.
    all: Vec<Referent>,
    /// Indexed by pointer: the start of its set; one more entry at the end.
    first: Vec<u32>,
    /// Indexed by buffer: whether some merge may denote an instance that is not the newest.
    has_older: Vec<bool>,
}

impl Referents {
    pub(super) fn new(program: &Program, graph: &Graph, scope: &Scope) -> Self {
        let allocations = Allocations::new(program, graph);
        let own = |pointer: usize| {
            let buffer = program.pointers[pointer].kind.buffer();
            buffer.map(|buffer| Referent {
                buffer,
                newest: true,
                older: false,
                at_start: true,
            })
        };
        // Those of merges: nearly all pointers are buffers.
        let mut sets = vec![Vec::new(); program.pointers.len()];
        propagate(program.bindings(), |source, target| {
            // A merge reaches only bytes that its source reaches: if both reach equally many, both
            // start at the same byte.
            let sizes = [target, source].map(|p| program.pointers[p.index()].size);
            // A merge that some path does not bind may denote nothing at all.
            let is_bound = |p: PointerId| scope.pointer(p) != Home::Nowhere;
            let is_at_start =
                sizes[0].is_some() && sizes[0] == sizes[1] && is_bound(target) && is_bound(source);
            let mut changed = false;
            let from = sets[source.index()].clone();
            for mut to in from.into_iter().chain(own(source.index())) {
                to.at_start &= is_at_start;
                to.older |= !allocations.is_before(to.buffer, target, graph, scope);
                changed |= join(&mut sets[target.index()], to);
            }
            changed
        });
        let mut all = Vec::with_capacity(program.pointers.len());
        let mut first = Vec::with_capacity(program.pointers.len() + 1);
        let mut has_older = vec![false; program.buffers.len()];
        for (pointer, set) in sets.into_iter().enumerate() {
            first.push(all.len() as u32);
            all.extend(set.into_iter().chain(own(pointer)));
        }
        first.push(u32::try_from(all.len()).expect("fewer than 2^32 referents"));
        for referent in &all {
            has_older[referent.buffer.index()] |= referent.older;
        }
        Self {
            all,
            first,
            has_older,
        }
    }

    pub(super) fn of(&self, pointer: PointerId) -> &[Referent] {
        let first = self.first[pointer.index()] as usize;
        let after = self.first[pointer.index() + 1] as usize;
        &self.all[first..after]
    }

    pub(super) fn has_older(&self, buffer: BufferId) -> bool {
        self.has_older[buffer.index()]
    }
}

/// Adds a referent; true if the set changed.
fn join(set: &mut Vec<Referent>, new: Referent) -> bool {
    match set.binary_search_by_key(&new.buffer, |r| r.buffer) {
        Ok(position) => {
            let old = set[position];
            let joined = Referent {
                buffer: old.buffer,
                newest: old.newest || new.newest,
                older: old.older || new.older,
                at_start: old.at_start && new.at_start,
            };
            set[position] = joined;
            joined != old
        }
        Err(position) => {
            set.insert(position, new);
            true
        }
    }
}

/// The allocating steps of buffers.
struct Allocations {
    /// Indexed by buffer: the number of steps that allocate it, and one of them with its block.
    steps: Vec<(u32, usize, mem_model::BlockId)>,
}

impl Allocations {
    fn new(program: &Program, graph: &Graph) -> Self {
        let entry = mem_model::BlockId::new(0);
        let mut steps = vec![(0, 0, entry); program.buffers.len()];
        for &block in graph.order() {
            let range = program.blocks[block.index()].steps;
            for step in range.start.index()..range.end.index() {
                for buffer in &program.steps[step].allocates {
                    let found: &mut (u32, usize, _) = &mut steps[buffer.index()];
                    *found = (found.0 + 1, step, block);
                }
            }
        }
        Self { steps }
    }

    /// Whether no new instance of `buffer` can be made between the binding of `target` and any use
    /// of it.
    fn is_before(&self, buffer: BufferId, target: PointerId, graph: &Graph, scope: &Scope) -> bool {
        match (self.steps[buffer.index()], scope.pointer(target)) {
            ((0, ..), _) => true,
            ((1, step, block), Home::Block(home)) => {
                let in_home = scope
                    .binding_step(target)
                    .is_some_and(|bound| step <= bound);
                graph.strictly_dominates(block, home) || (block == home && in_home)
            }
            _ => false,
        }
    }
}
