//! The abstract state of `content`, and its transfer functions for writes and bindings.

use std::collections::BTreeSet;
use std::ops::Range;

use mem_model::{Binding, BufferId, PointerId, StepId};

use super::hull;

/// The contents that a pointer may denote, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing has been written yet.
    Undefined,
    /// The written bytes are intact.
    Good,
    /// A step may have overwritten the bytes with something else.
    Clobbered {
        /// The overwriting step.
        step: StepId,
        /// The buffer that the step writes.
        written: BufferId,
    },
}

impl Content {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            // Keep the first culprit, so that contents only grow.
            (Self::Clobbered { .. }, _) | (_, Self::Undefined) => self,
            _ => other,
        }
    }
}

/// The pointer `name` may denote an instance of `buffer` with this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub name: PointerId,
    pub buffer: BufferId,
    /// Whether this is an older instance rather than the newest.
    pub is_older: bool,
    pub content: Content,
}

/// Facts by pointer, and the pointers that may collide. See the documentation of `content`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// In the order of the pointers. Each write looks at all facts, so they lie side by side.
    facts: Vec<Fact>,
    /// Symmetric; (x, y, b): x and y may denote different instances of b in one slot.
    collisions: BTreeSet<(PointerId, PointerId, BufferId)>,
}

impl State {
    pub(super) fn facts_of(&self, name: PointerId) -> &[Fact] {
        &self.facts[self.range_of(name)]
    }

    fn range_of(&self, name: PointerId) -> Range<usize> {
        let start = self.facts.partition_point(|fact| fact.name < name);
        let own = self.facts[start..].iter();
        start..start + own.take_while(|fact| fact.name == name).count()
    }

    /// Replaces the facts about a pointer.
    fn replace(&mut self, name: PointerId, facts: impl IntoIterator<Item = Fact>) {
        let range = self.range_of(name);
        self.facts.splice(range, facts);
    }

    /// Creates a new instance of `buffer`, whose address is `own`, in a slot that no pointer of
    /// `avoided` denotes.
    pub(super) fn allocate(&mut self, buffer: BufferId, own: &[PointerId], avoided: &[PointerId]) {
        for &name in own {
            self.forget(name);
        }
        let of_buffer = self.facts.iter().filter(|fact| fact.buffer == buffer);
        let mut names: Vec<PointerId> = of_buffer.map(|fact| fact.name).collect();
        names.dedup();
        let mut others = Vec::new();
        for name in names {
            let facts = self.facts_of(name);
            let content = joined_content(facts, buffer);
            let kept = facts.iter().filter(|fact| fact.buffer != buffer).copied();
            let older = content.map(|content| Fact {
                name,
                buffer,
                is_older: true,
                content,
            });
            let new: Vec<Fact> = kept.chain(older).collect();
            self.replace(name, new);
            if !avoided.contains(&name) {
                others.push(name);
            }
        }
        self.introduce(buffer, own);
        for &name in own {
            for &other in &others {
                self.collide(name, other, buffer);
            }
        }
    }

    /// Adds the facts that the pointers `own` denote the newest instance of `buffer`, with
    /// undefined content, for pointers without facts.
    pub(super) fn introduce(&mut self, buffer: BufferId, own: &[PointerId]) {
        for &name in own {
            let range = self.range_of(name);
            if range.is_empty() {
                let new = Fact {
                    name,
                    buffer,
                    is_older: false,
                    content: Content::Undefined,
                };
                self.facts.insert(range.start, new);
            }
        }
    }

    /// Binds merges simultaneously.
    pub(super) fn bind(&mut self, bindings: &[Binding]) {
        if bindings.is_empty() {
            return;
        }
        let before = self.clone();
        for binding in bindings {
            self.forget(binding.target);
        }
        for binding in bindings {
            let mut facts = Vec::new();
            for &source in &binding.sources {
                join_facts(&mut facts, binding.target, before.facts_of(source));
            }
            self.replace(binding.target, facts);
            for &source in &binding.sources {
                self.bind_collisions(&before, bindings, binding.target, source);
            }
        }
    }

    /// Makes `target` collide with everything that `source` collided with: with each such pointer
    /// that is not rebound, and with every merge that is bound from one at the same time.
    fn bind_collisions(
        &mut self,
        before: &Self,
        bindings: &[Binding],
        target: PointerId,
        source: PointerId,
    ) {
        for (other, buffer) in before.collisions_of(source) {
            if bindings.iter().all(|b| b.target != other) {
                self.collide(target, other, buffer);
            }
            let heirs = bindings.iter().filter(|b| b.sources.contains(&other));
            for heir in heirs.map(|b| b.target).filter(|&heir| heir != target) {
                self.collide(target, heir, buffer);
            }
        }
    }

    /// Writes through `name`: all bytes it reaches if `covers_all`.
    pub(super) fn define(&mut self, name: PointerId, covers_all: bool) {
        let written = self.facts_of(name).to_vec();
        for fact in &mut self.facts {
            let is_own = fact.name == name;
            let is_undefined = fact.content == Content::Undefined;
            // Nearly all contents have been written, and stay as they are.
            if !is_own && !is_undefined {
                continue;
            }
            let may_be_same = written
                .iter()
                .any(|w| w.buffer == fact.buffer && w.is_older == fact.is_older);
            if (is_own && covers_all) || ((is_own || may_be_same) && is_undefined) {
                fact.content = Content::Good;
            }
        }
    }

    /// Clobbers what overlaps the addresses that `step` writes through `name`. `hulls`: indexed by buffer, the hull of
    /// its addresses.
    pub(super) fn clobber(
        &mut self,
        step: StepId,
        name: PointerId,
        hulls: &[(u64, u64)],
        share_bytes: impl Fn(BufferId, BufferId) -> bool,
    ) {
        let written = self.facts_of(name).to_vec();
        let (start, end) = hull(written.iter().map(|own| hulls[own.buffer.index()]));
        for fact in &mut self.facts {
            // Nearly all facts are about bytes elsewhere. Hulls that only touch are not passed over: instances of a
            // buffer without bytes may collide.
            let theirs = hulls[fact.buffer.index()];
            let is_elsewhere = theirs.1 < start || end < theirs.0;
            if is_elsewhere || fact.name == name || fact.content != Content::Good {
                continue;
            }
            let is_hit = |w: &&Fact| match w.buffer == fact.buffer {
                true => {
                    let may_differ = w.is_older || fact.is_older;
                    may_differ && self.collisions.contains(&(name, fact.name, w.buffer))
                }
                false => share_bytes(w.buffer, fact.buffer),
            };
            if let Some(culprit) = written.iter().find(is_hit) {
                fact.content = Content::Clobbered {
                    step,
                    written: culprit.buffer,
                };
            }
        }
    }

    /// Makes clobbered contents of `name` good, once they have been reported.
    pub(super) fn forgive(&mut self, name: PointerId) {
        let range = self.range_of(name);
        for fact in &mut self.facts[range] {
            if matches!(fact.content, Content::Clobbered { .. }) {
                fact.content = Content::Good;
            }
        }
    }

    /// Drops all facts about `name`.
    pub(super) fn forget(&mut self, name: PointerId) {
        self.replace(name, []);
        for (other, buffer) in self.collisions_of(name) {
            self.collisions.remove(&(name, other, buffer));
            self.collisions.remove(&(other, name, buffer));
        }
    }

    /// Drops the facts about all pointers that fail `is_wanted`.
    pub(super) fn keep(&mut self, is_wanted: impl Fn(PointerId) -> bool) {
        self.facts.retain(|fact| is_wanted(fact.name));
        self.collisions
            .retain(|&(a, b, _)| is_wanted(a) && is_wanted(b));
    }

    /// Joins the state of another path; returns true if anything is new.
    pub(super) fn join(&mut self, other: Self) -> bool {
        let mut changed = false;
        for facts in other.facts.chunk_by(|a, b| a.name == b.name) {
            let name = facts[0].name;
            let mut joined = self.facts_of(name).to_vec();
            if join_facts(&mut joined, name, facts) {
                self.replace(name, joined);
                changed = true;
            }
        }
        let n_collisions = self.collisions.len();
        self.collisions.extend(other.collisions);
        changed || self.collisions.len() > n_collisions
    }

    fn collide(&mut self, a: PointerId, b: PointerId, buffer: BufferId) {
        self.collisions.insert((a, b, buffer));
        self.collisions.insert((b, a, buffer));
    }

    fn collisions_of(&self, name: PointerId) -> Vec<(PointerId, BufferId)> {
        let first = (name, PointerId::new(0), BufferId::new(0));
        let all = self
            .collisions
            .range(first..)
            .take_while(|(a, _, _)| *a == name);
        all.map(|&(_, other, buffer)| (other, buffer)).collect()
    }
}

fn joined_content(facts: &[Fact], buffer: BufferId) -> Option<Content> {
    let contents = facts
        .iter()
        .filter(|f| f.buffer == buffer)
        .map(|f| f.content);
    contents.reduce(Content::join)
}

/// Joins facts about a pointer `name` with those about it, or about what it is bound to.
fn join_facts(all: &mut Vec<Fact>, name: PointerId, more: &[Fact]) -> bool {
    let mut changed = false;
    for fact in more {
        let is_same = |f: &&mut Fact| f.buffer == fact.buffer && f.is_older == fact.is_older;
        match all.iter_mut().find(is_same) {
            Some(known) => {
                let joined = known.content.join(fact.content);
                changed |= joined != known.content;
                known.content = joined;
            }
            None => {
                all.push(Fact { name, ..*fact });
                changed = true;
            }
        }
    }
    changed
}
