//! Liveness of written bytes: bytes that a use of the program, or code outside it, reads later.
//!
//! # Idea
//!
//! A flood from all uses at once, backwards through phis and weak writes, visits each byte of each
//! value once. Its first phase stops at the topmost weak write; everything it reaches is read.
//! States below weak writes, and uses with run-time bounds or conditions, follow in a second phase.
//! A write that only the second phase reaches may be hidden. For such a write, a forward search
//! over the control-flow graph decides whether every path overwrites it before reading it
//! ([`super::forward`]).

use fixedbitset::FixedBitSet;
use mem_model::{Bytes, Interval, IntervalSet};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::map::Root;
use super::{AccessId, Dependence, Value, constant_hull};

/// For each definition, the bytes of it that are read later.
#[derive(Clone, Debug)]
pub struct LiveWrites {
    /// Access numbers.
    live: FixedBitSet,
    /// By access number: bytes that are never read, relative to the pointer's start. Live definitions whose
    /// bytes are all read are left out.
    dead: HashMap<u32, IntervalSet<Bytes>>,
    first_access: Vec<u32>,
}

impl LiveWrites {
    /// Whether nothing that this definition writes is ever read, or it writes nothing. Unreachable
    /// definitions are dead. The answer is meaningless for a use.
    #[must_use]
    pub fn is_dead(&self, access: AccessId) -> bool {
        !self.live.contains(self.number(access) as usize)
    }

    /// The bytes that the definition may write and that are never read, relative to its pointer's
    /// start. Empty for a dead definition, and if the bytes are not known exactly.
    #[must_use]
    pub fn dead_bytes(&self, access: AccessId) -> &IntervalSet<Bytes> {
        const NONE: &IntervalSet<Bytes> = &IntervalSet::new();
        self.dead.get(&self.number(access)).unwrap_or(NONE)
    }

    fn number(&self, access: AccessId) -> u32 {
        self.first_access[access.step.index()] + access.index
    }
}

/// The bytes of a value that the flood has reached.
#[derive(Clone, Default)]
enum Flooded {
    #[default]
    Nothing,
    One(Interval<u64>),
    Many(Box<IntervalSet<u64>>),
}

impl Flooded {
    /// Adds bytes and returns those that are new.
    fn add(&mut self, bytes: Interval<u64>) -> Vec<Interval<u64>> {
        let all = match self {
            Self::Nothing => {
                *self = Self::One(bytes);
                return vec![bytes];
            }
            Self::One(known) if known.covers(bytes) => return Vec::new(),
            Self::One(known) if bytes.covers(*known) => {
                let known = *known;
                *self = Self::One(bytes);
                let low = Interval::new(bytes.start, known.start);
                let high = Interval::new(known.end, bytes.end);
                return [low, high].into_iter().filter(|i| !i.is_empty()).collect();
            }
            Self::One(known) => {
                *self = Self::Many(Box::new(IntervalSet::from_iter([*known])));
                return self.add(bytes);
            }
            Self::Many(all) => all,
        };
        let mut new = Vec::new();
        let mut start = bytes.start;
        for known in all.within(bytes) {
            new.push(Interval::new(start, known.start));
            start = known.end;
        }
        new.push(Interval::new(start, bytes.end));
        new.retain(|i| !i.is_empty());
        if !new.is_empty() {
            all.insert(bytes);
        }
        new
    }

    fn bytes(&self) -> IntervalSet<u64> {
        match self {
            Self::Nothing => IntervalSet::new(),
            Self::One(bytes) => IntervalSet::from_iter([*bytes]),
            Self::Many(all) => (**all).clone(),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

struct Flood<'f, 'a> {
    of: &'f Dependence<'a>,
    flooded: Vec<Flooded>,
    pending: Vec<(u32, Interval<u64>)>,
    /// States below weak writes.
    hidden: Vec<(Root, Interval<u64>)>,
    stops_at_weak: bool,
}

impl Flood<'_, '_> {
    fn start(&mut self, root: Root, bytes: Interval<u64>) {
        let pending = &mut self.pending;
        self.of
            .states
            .maps
            .for_each(root, bytes, |bytes, value| pending.push((value, bytes)));
        while let Some((value, bytes)) = self.pending.pop() {
            for new in self.flooded[value as usize].add(bytes) {
                self.expand(value, new);
            }
        }
    }

    fn expand(&mut self, value: u32, bytes: Interval<u64>) {
        match self.of.states.values[value as usize] {
            Value::Undefined | Value::Entry | Value::Write { .. } => {}
            Value::Weak { below, .. } if self.stops_at_weak => self.hidden.push((below, bytes)),
            Value::Weak { below, .. } => self.push(below, bytes),
            Value::Phi { phi } => {
                let operands = self.of.states.phis[phi as usize].operands;
                for operand in operands.start..operands.end {
                    self.push(self.of.states.operands[operand as usize], bytes);
                }
            }
            Value::Aged { older, newest } => {
                self.push(older, bytes);
                self.push(newest, bytes);
            }
        }
    }

    fn push(&mut self, root: Root, bytes: Interval<u64>) {
        let pending = &mut self.pending;
        self.of
            .states
            .maps
            .for_each(root, bytes, |bytes, value| pending.push((value, bytes)));
    }
}

impl Dependence<'_> {
    /// Computes which definitions are read later, and which of their bytes.
    #[must_use]
    pub fn live_writes(&self) -> LiveWrites {
        let n_accesses = self.states.step_of.len();
        let (visible, flooded) = self.flood();
        let mut read = vec![Read::default(); n_accesses];
        for (index, value) in self.states.values.iter().enumerate() {
            let (Value::Write { access } | Value::Weak { access, .. }) = *value else {
                continue;
            };
            let read = &mut read[access as usize];
            read.surely |= visible.contains(index);
            read.maybe |= !flooded[index].is_empty();
        }
        // A late reader sees the write although its state does not contain it.
        for late in &self.states.late {
            read[late.writer as usize].surely = true;
        }
        self.settle_hidden(&mut read);
        let is_live = |read: &Read| read.surely || read.maybe;
        let numbers = 0..n_accesses;
        let live = numbers.filter(|number| is_live(&read[*number])).collect();
        LiveWrites {
            dead: self.find_dead_bytes(&flooded, &live),
            live,
            first_access: self.states.first_access.clone(),
        }
    }

    /// Runs both phases of the flood. Returns the values reached above weak writes only, and all
    /// bytes reached.
    fn flood(&self) -> (FixedBitSet, Vec<Flooded>) {
        let mut flood = Flood {
            of: self,
            flooded: vec![Flooded::Nothing; self.states.values.len()],
            pending: Vec::new(),
            hidden: Vec::new(),
            stops_at_weak: true,
        };
        for read in &self.states.observed {
            // Code outside may read any byte.
            flood.start(read.root, self.states.variables.extent(read.variable));
        }
        let mut detailed = Vec::new();
        for number in 0..self.states.step_of.len() {
            let first = self.states.first_read[number] as usize;
            let after = self.states.first_read[number + 1] as usize;
            if first == after {
                continue;
            }
            let access = self.access(number as u32);
            let targets = self.targets(access.pointer, constant_hull(access));
            // What other uses see may depend on conditions and run-time bounds, which only the
            // forward search considers.
            let is_plain = access.predicate().is_empty() && access.symbolic().is_none();
            for (target, read) in targets.iter().zip(&self.states.reads[first..after]) {
                for bytes in Self::bytes_of(access, target) {
                    match is_plain {
                        true => flood.start(read.root, bytes),
                        false => detailed.push((read.root, bytes)),
                    }
                }
            }
        }
        let numbered = flood.flooded.iter().enumerate();
        let visible = numbered.filter(|(_, bytes)| !bytes.is_empty());
        let visible = visible.map(|(value, _)| value).collect();
        flood.stops_at_weak = false;
        let below = std::mem::take(&mut flood.hidden);
        for (root, bytes) in below.into_iter().chain(detailed) {
            flood.start(root, bytes);
        }
        // A detailed use may stop at a weak write that the first phase flooded. Nothing is lost:
        // every state below such a write is in `hidden`.
        (visible, flood.flooded)
    }

    /// Decides by forward search about writes that only the second phase reached.
    fn settle_hidden(&self, read: &mut [Read]) {
        let mut forward = super::forward::Forward::new(self);
        for (number, read) in read.iter_mut().enumerate() {
            if read.maybe && !read.surely {
                read.maybe = forward.may_be_read(number as u32);
            }
        }
    }

    /// Collects the bytes of live definitions that are never read.
    fn find_dead_bytes(
        &self,
        flooded: &[Flooded],
        live: &FixedBitSet,
    ) -> HashMap<u32, IntervalSet<Bytes>> {
        let late: HashSet<u32> = self.states.late.iter().map(|late| late.writer).collect();
        // By access: its values.
        let values = (0..).zip(&self.states.values);
        let written = values.filter_map(|(index, value)| match *value {
            Value::Write { access } | Value::Weak { access, .. } => Some((access, index)),
            _ => None,
        });
        let is_asked = |access: u32| live.contains(access as usize) && !late.contains(&access);
        let mut written: Vec<(u32, u32)> = written.filter(|(own, _)| is_asked(*own)).collect();
        written.sort_unstable();
        let of_access = written.chunk_by(|a, b| a.0 == b.0);
        let dead = of_access.filter_map(|values| {
            let number = values[0].0;
            let access = self.access(number);
            let targets = self.targets(access.pointer, constant_hull(access));
            let [target] = targets.as_slice() else {
                return None;
            };
            // Dead bytes are known only if nothing but the uses of this target can read the write.
            let is_shared = self.has_overlaps(access.pointer);
            if !target.exact || is_shared || target.hull.end == u64::MAX {
                return None;
            }
            let mut dead: IntervalSet<u64> = Self::bytes_of(access, target).collect();
            for (_, value) in values {
                let read = flooded[*value as usize].bytes();
                read.iter().for_each(|bytes| dead.remove(bytes));
            }
            let bytes =
                |own: Interval<u64>| Interval::new(Bytes::new(own.start), Bytes::new(own.end));
            (!dead.is_empty()).then(|| (number, dead.iter().map(bytes).collect()))
        });
        dead.collect()
    }

    /// Whether the bytes that `pointer` reaches may also belong to another buffer.
    fn has_overlaps(&self, pointer: mem_model::PointerId) -> bool {
        let referents = self.states.referents.of(pointer);
        referents.iter().any(|referent| {
            let aliasing = self.program.buffers[referent.buffer.index()].aliasing;
            aliasing.may_overlap(aliasing) || aliasing.may_overlap(mem_model::Aliasing::Unknown)
        })
    }
}

/// How a write is read: `surely` if the first phase of the flood reaches it, `maybe` if any phase
/// does.
#[derive(Clone, Copy, Debug, Default)]
struct Read {
    surely: bool,
    maybe: bool,
}
