//! Results as data: chains in both directions, records with their kill sets, and phis.

use std::collections::BTreeMap;

use mem_model::{AccessKind, BlockId, BufferId, Bytes, Interval, IntervalSet, PointerId, StepId};

use super::{AccessId, Dependence, Reaching, Source, constant_hull};

/// Explicit use-def and def-use chains of a whole program. Their size is the number of pairs, which
/// can be quadratic; [`Dependence::reaching`] answers for a single use.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// Indexed by use: the sources that it may see.
    pub definitions: BTreeMap<AccessId, Vec<Reaching>>,
    /// Indexed by definition: the uses that may see it. Empty for a definition that no use in the
    /// program sees.
    pub uses: BTreeMap<AccessId, Vec<AccessId>>,
}

/// The last writes to a byte range at one program point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The visible definitions of exactly this range, and the visible definitions that only may
    /// have written some of it.
    pub definitions: Vec<AccessId>,
    /// The bytes of the range, relative to the pointer's start, in which none of `definitions` is
    /// visible.
    pub kills: IntervalSet<Bytes>,
}

/// States of a buffer that meet at the start of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The block.
    pub block: BlockId,
    /// The buffer.
    pub buffer: BufferId,
    /// Whether the states are those of older instances, which a loop has replaced by newer ones.
    pub is_older: bool,
    /// The bytes that may differ between the states.
    pub bytes: Interval<Bytes>,
}

impl Dependence<'_> {
    /// Computes all chains.
    #[must_use]
    pub fn chains(&self) -> Chains {
        let mut chains = Chains::default();
        for number in 0..self.states.step_of.len() as u32 {
            let id = self.id(number);
            match self.access(number).kind {
                AccessKind::Define => {
                    chains.uses.entry(id).or_default();
                }
                AccessKind::Use => {
                    let reaching = self.reaching(id);
                    for source in reaching.iter().map(|r| r.source) {
                        if let Source::Definition(definition) = source {
                            let uses = chains.uses.entry(definition).or_default();
                            if uses.last() != Some(&id) {
                                uses.push(id);
                            }
                        }
                    }
                    chains.definitions.insert(id, reaching);
                }
            }
        }
        chains
    }

    /// The definitions of the steps for which `is_wanted` with the uses that may see each, in ascending
    /// order. Takes the time of [`chains`](Self::chains), and memory for the result only.
    #[must_use]
    pub fn uses_of(&self, is_wanted: impl Fn(StepId) -> bool) -> Vec<(AccessId, AccessId)> {
        let mut all = Vec::new();
        let numbers = 0..self.states.step_of.len() as u32;
        for number in numbers.filter(|own| self.access(*own).kind == AccessKind::Use) {
            let id = self.id(number);
            self.search_from(id, &mut |source, _, _| {
                if let Source::Definition(definition) = source
                    && is_wanted(definition.step)
                {
                    all.push((definition, id));
                }
                true
            });
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The record of `range` relative to `pointer` before `step` does anything.
    #[must_use]
    pub fn record(&self, step: StepId, pointer: PointerId, range: Interval<Bytes>) -> Record {
        let mut definitions = Vec::new();
        let mut kills = IntervalSet::from_iter([range]);
        for reaching in self.reaching_at(step, pointer, Some(range)) {
            let Source::Definition(id) = reaching.source else {
                continue;
            };
            let access = self.access(self.number(id));
            let is_own = access.pointer == pointer && access.may == Some(range);
            let is_must = access.must.is_some() || access.symbolic().is_some();
            if is_own || !is_must {
                definitions.push(id);
                reaching.bytes.iter().for_each(|bytes| kills.remove(bytes));
            }
        }
        definitions.sort_unstable();
        definitions.dedup();
        Record { definitions, kills }
    }

    /// The bytes of `definition`, relative to its buffer's start, that are no longer visible before
    /// `step` does anything. Empty if they are not known exactly.
    #[must_use]
    pub fn kills(&self, definition: AccessId, step: StepId) -> IntervalSet<Bytes> {
        let access = self.access(self.number(definition));
        let targets = self.targets(access.pointer, constant_hull(access));
        let [target] = targets.as_slice() else {
            return IntervalSet::new();
        };
        if !target.exact {
            return IntervalSet::new();
        }
        let bytes = Self::bytes_of(access, target);
        let bytes = bytes.map(|b| Interval::new(Bytes::new(b.start), Bytes::new(b.end)));
        let mut killed: IntervalSet<Bytes> = bytes.collect();
        for reaching in self.reaching_at(step, access.pointer, access.may) {
            if reaching.source == Source::Definition(definition) {
                reaching.bytes.iter().for_each(|bytes| killed.remove(bytes));
            }
        }
        killed
    }

    /// The definitions of which `definition` is guaranteed to overwrite some visible bytes, each
    /// with all of its bytes that are no longer visible afterwards. Includes only definitions
    /// through the same pointer with constant bounds, as the bytes of others are not known exactly.
    #[must_use]
    pub fn killed_by(&self, definition: AccessId) -> Vec<(AccessId, IntervalSet<Bytes>)> {
        let access = self.access(self.number(definition));
        let sure: Vec<Interval<Bytes>> = match access.rows().filter(|rows| rows.all) {
            Some(rows) => rows.bytes.iter().collect(),
            None => access.must.into_iter().collect(),
        };
        if access.kind != AccessKind::Define || !access.is_unconditional() || sure.is_empty() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for reaching in self.reaching_at(definition.step, access.pointer, access.may) {
            let Source::Definition(killed) = reaching.source else {
                continue;
            };
            let is_hit = |sure: &Interval<Bytes>| reaching.bytes.within(*sure).next().is_some();
            let old = self.access(self.number(killed));
            if !sure.iter().any(is_hit) || old.pointer != access.pointer || old.symbolic().is_some()
            {
                continue;
            }
            let mut kills = self.kills(killed, definition.step);
            for range in &sure {
                kills.insert(old.may.map_or(*range, |may| may.intersection(*range)));
            }
            all.push((killed, kills));
        }
        all
    }

    /// All phis, in the order of blocks.
    pub fn joins(&self) -> impl Iterator<Item = Join> + '_ {
        self.states.phis.iter().map(|phi| Join {
            block: phi.block,
            buffer: self.states.variables.buffer(phi.variable),
            is_older: self.states.variables.is_older(phi.variable),
            bytes: Interval::new(Bytes::new(phi.hull.start), Bytes::new(phi.hull.end)),
        })
    }
}
