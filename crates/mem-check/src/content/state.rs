//! What is known at a moment of execution, and what writes and bindings make of it.

use std::collections::{BTreeMap, BTreeSet};

use mem_model::{Binding, BufferId, PointerId, StepId};

/// What may be behind a name. Ordered by badness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing was written yet.
    Undefined,
    /// What was written is still there.
    Good,
    /// A step may have written something else over it.
    Clobbered {
        /// That step.
        step: StepId,
        /// What it meant to write.
        written: BufferId,
    },
}

impl Content {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            // The first culprit stays, so that sets only grow.
            (Self::Clobbered { .. }, _) | (_, Self::Undefined) => self,
            _ => other,
        }
    }
}

/// A name may denote an instance of `buffer`, with this content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub buffer: BufferId,
    /// Whether an older instance is meant, not the newest.
    pub is_older: bool,
    pub content: Content,
}

/// Facts by name, and which names may collide. See the module above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    facts: BTreeMap<PointerId, Vec<Fact>>,
    /// Both (x, y, b) and (y, x, b): x and y may denote different instances of b in one slot.
    collisions: BTreeSet<(PointerId, PointerId, BufferId)>,
}

impl State {
    pub fn facts_of(&self, name: PointerId) -> &[Fact] {
        self.facts.get(&name).map_or(&[], Vec::as_slice)
    }

    /// `buffer`, whose address is `own`, has a new instance, in a slot that no name of `avoided`
    /// denotes.
    pub fn allocate(&mut self, buffer: BufferId, own: &[PointerId], avoided: &[PointerId]) {
        for &name in own {
            self.forget(name);
        }
        let mut others = Vec::new();
        for (&name, facts) in &mut self.facts {
            let Some(content) = joined_content(facts, buffer) else {
                continue;
            };
            facts.retain(|fact| fact.buffer != buffer);
            facts.push(Fact {
                buffer,
                is_older: true,
                content,
            });
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

    /// The names `own` denote the newest instance of `buffer`, of which nothing else is known
    /// unless it was said before.
    pub fn introduce(&mut self, buffer: BufferId, own: &[PointerId]) {
        for &name in own {
            self.facts.entry(name).or_insert_with(|| {
                vec![Fact {
                    buffer,
                    is_older: false,
                    content: Content::Undefined,
                }]
            });
        }
    }

    /// Binds merges, all at once.
    pub fn bind(&mut self, bindings: &[Binding]) {
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
                join_facts(&mut facts, before.facts_of(source));
            }
            self.facts.insert(binding.target, facts);
            for &source in &binding.sources {
                self.bind_collisions(&before, bindings, binding.target, source);
            }
        }
    }

    /// `target` may collide with what `source` collided with: by its name, if that still denotes
    /// the same, and by every name that is bound from it at the same time.
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

    /// Something is written through `name`: all it reaches, if `covers_all`.
    pub fn define(&mut self, name: PointerId, covers_all: bool) {
        let written = self.facts_of(name).to_vec();
        for (&other, facts) in &mut self.facts {
            for fact in facts.iter_mut() {
                let is_own = other == name;
                let may_be_same = written
                    .iter()
                    .any(|w| w.buffer == fact.buffer && w.is_older == fact.is_older);
                let is_undefined = fact.content == Content::Undefined;
                if (is_own && covers_all) || ((is_own || may_be_same) && is_undefined) {
                    fact.content = Content::Good;
                }
            }
        }
    }

    /// `step` writes through `name`: what else is at these addresses is lost.
    pub fn clobber(
        &mut self,
        step: StepId,
        name: PointerId,
        share_bytes: impl Fn(BufferId, BufferId) -> bool,
    ) {
        let written = self.facts_of(name).to_vec();
        for (&other, facts) in self.facts.iter_mut().filter(|(other, _)| **other != name) {
            for fact in facts
                .iter_mut()
                .filter(|fact| fact.content == Content::Good)
            {
                let is_hit = |w: &&Fact| match w.buffer == fact.buffer {
                    true => {
                        let may_differ = w.is_older || fact.is_older;
                        may_differ && self.collisions.contains(&(name, other, w.buffer))
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
    }

    /// Takes what is behind `name` for good again, once it was reported.
    pub fn forgive(&mut self, name: PointerId) {
        for fact in self.facts.get_mut(&name).into_iter().flatten() {
            if matches!(fact.content, Content::Clobbered { .. }) {
                fact.content = Content::Good;
            }
        }
    }

    /// Drops all that is known of `name`.
    pub fn forget(&mut self, name: PointerId) {
        self.facts.remove(&name);
        for (other, buffer) in self.collisions_of(name) {
            self.collisions.remove(&(name, other, buffer));
            self.collisions.remove(&(other, name, buffer));
        }
    }

    /// Drops all names that `is_wanted` is false for.
    pub fn keep(&mut self, is_wanted: impl Fn(PointerId) -> bool) {
        self.facts.retain(|&name, _| is_wanted(name));
        self.collisions
            .retain(|&(a, b, _)| is_wanted(a) && is_wanted(b));
    }

    /// Adds what holds on another path; true if anything is new.
    pub fn join(&mut self, other: Self) -> bool {
        let mut changed = false;
        for (name, facts) in other.facts {
            changed |= join_facts(self.facts.entry(name).or_default(), &facts);
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

fn join_facts(all: &mut Vec<Fact>, more: &[Fact]) -> bool {
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
                all.push(*fact);
                changed = true;
            }
        }
    }
    changed
}
