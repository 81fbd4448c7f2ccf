//! Which written bytes are read later, by a use of the program or from outside after it.
//!
//! # Idea
//!
//! A flood from all uses at once, backwards through phis and weak writes; each byte of each value is
//! flooded once. It first goes no further than the topmost weak write: what it reaches is read. What
//! lies below weak writes, or is wanted by a use with run-time bounds or conditions, may be hidden
//! by them. For writes that only this second flood reaches, a search forward over the control-flow
//! graph decides whether every path overwrites them before it reads them ([`super::forward`]).

use mem_model::{AccessKind, Bytes, Interval, IntervalSet};

use super::map::Root;
use super::{AccessId, Dependence, Value, constant_hull};

/// By definition, what of it is read later.
#[derive(Clone, Debug)]
pub struct LiveWrites {
    /// By access number.
    writes: Vec<Live>,
    first_access: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Live {
    is_live: bool,
    /// Bytes that are not read by anyone, relative to the pointer's start.
    dead: IntervalSet<Bytes>,
}

impl LiveWrites {
    /// Whether nothing reads what this definition writes, or it writes nothing. Definitions where
    /// control never comes are dead; uses are not.
    #[must_use]
    pub fn is_dead(&self, access: AccessId) -> bool {
        !self.get(access).is_live
    }

    /// Bytes that the definition may write and nobody reads, relative to its pointer's start. Of a
    /// dead definition and where the bytes are not known: none.
    #[must_use]
    pub fn dead_bytes(&self, access: AccessId) -> &IntervalSet<Bytes> {
        &self.get(access).dead
    }

    fn get(&self, access: AccessId) -> &Live {
        &self.writes[(self.first_access[access.step.index()] + access.index) as usize]
    }
}

/// The bytes of a value that were flooded.
#[derive(Clone, Default)]
enum Flooded {
    #[default]
    Nothing,
    One(Interval<u64>),
    Many(Box<IntervalSet<u64>>),
}

impl Flooded {
    /// Adds bytes, and returns those that are new.
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
    /// What lies below weak writes.
    hidden: Vec<(Root, Interval<u64>)>,
    stops_at_weak: bool,
}

impl Flood<'_, '_> {
    fn start(&mut self, root: Root, bytes: Interval<u64>) {
        let pending = &mut self.pending;
        self.of
            .maps
            .for_each(root, bytes, |bytes, value| pending.push((value, bytes)));
        while let Some((value, bytes)) = self.pending.pop() {
            for new in self.flooded[value as usize].add(bytes) {
                self.expand(value, new);
            }
        }
    }

    fn expand(&mut self, value: u32, bytes: Interval<u64>) {
        match self.of.values[value as usize] {
            Value::Undefined | Value::Entry | Value::Write { .. } => {}
            Value::Weak { below, .. } if self.stops_at_weak => self.hidden.push((below, bytes)),
            Value::Weak { below, .. } => self.push(below, bytes),
            Value::Phi { phi } => {
                let operands = self.of.phis[phi as usize].operands;
                for operand in operands.start..operands.end {
                    self.push(self.of.operands[operand as usize], bytes);
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
            .maps
            .for_each(root, bytes, |bytes, value| pending.push((value, bytes)));
    }
}

impl Dependence<'_> {
    /// Finds out which definitions are read later, and which of their bytes are.
    #[must_use]
    pub fn live_writes(&self) -> LiveWrites {
        let n_accesses = self.step_of.len();
        let (visible, hidden) = self.flood();
        let mut read = vec![Read::default(); n_accesses];
        for (index, value) in self.values.iter().enumerate() {
            let (Value::Write { access } | Value::Weak { access, .. }) = *value else {
                continue;
            };
            let read = &mut read[access as usize];
            read.surely |= !visible[index].is_empty();
            read.maybe |= !hidden[index].is_empty();
        }
        for late in &self.late {
            read[late.writer as usize].surely = true;
        }
        self.settle_hidden(&mut read);
        let mut writes = vec![Live::default(); n_accesses];
        for (write, read) in writes.iter_mut().zip(&read) {
            write.is_live = read.surely || read.maybe;
        }
        self.find_dead_bytes(&hidden, &mut writes);
        LiveWrites {
            writes,
            first_access: self.first_access.clone(),
        }
    }

    /// What is flooded above weak writes only, and everything.
    fn flood(&self) -> (Vec<Flooded>, Vec<Flooded>) {
        let mut flood = Flood {
            of: self,
            flooded: vec![Flooded::Nothing; self.values.len()],
            pending: Vec::new(),
            hidden: Vec::new(),
            stops_at_weak: true,
        };
        for read in &self.observed {
            flood.start(read.root, self.variables.extent(read.variable));
        }
        let mut detailed = Vec::new();
        for number in 0..self.step_of.len() {
            let first = self.first_read[number] as usize;
            let after = self.first_read[number + 1] as usize;
            if first == after {
                continue;
            }
            let access = self.access(number as u32);
            let targets = self.targets(access.pointer, constant_hull(access));
            let is_plain = access.predicate().is_empty() && access.symbolic().is_none();
            for (target, read) in targets.iter().zip(&self.reads[first..after]) {
                for bytes in Self::bytes_of(access, target) {
                    match is_plain {
                        true => flood.start(read.root, bytes),
                        false => detailed.push((read.root, bytes)),
                    }
                }
            }
        }
        let visible = flood.flooded.clone();
        flood.stops_at_weak = false;
        let below = std::mem::take(&mut flood.hidden);
        for (root, bytes) in below.into_iter().chain(detailed) {
            flood.start(root, bytes);
        }
        // A detailed use may meet a weak write whose bytes are flooded, but nothing below it; all of
        // those are on the list of hidden ones.
        (visible, flood.flooded)
    }

    /// Writes that only hidden reads may see: asks each path.
    fn settle_hidden(&self, read: &mut [Read]) {
        let mut forward = super::forward::Forward::new(self);
        for (number, read) in read.iter_mut().enumerate() {
            if read.maybe && !read.surely {
                read.maybe = forward.may_be_read(number as u32);
            }
        }
    }

    /// Bytes of live definitions that are read by nobody.
    fn find_dead_bytes(&self, flooded: &[Flooded], writes: &mut [Live]) {
        // By access: the bytes that some value of it is wanted for.
        let mut wanted: Vec<Flooded> = vec![Flooded::Nothing; writes.len()];
        for (index, value) in self.values.iter().enumerate() {
            if let Value::Write { access } | Value::Weak { access, .. } = *value
                && writes[access as usize].is_live
            {
                for bytes in flooded[index].bytes().iter() {
                    wanted[access as usize].add(bytes);
                }
            }
        }
        for (number, write) in writes.iter_mut().enumerate() {
            let access = self.access(number as u32);
            if !write.is_live || access.kind == AccessKind::Use {
                continue;
            }
            let targets = self.targets(access.pointer, constant_hull(access));
            let is_late = self.late.iter().any(|late| late.writer == number as u32);
            let [target] = targets.as_slice() else {
                continue;
            };
            let is_shared = self.has_overlaps(access.pointer);
            if !target.exact || is_late || is_shared || target.hull.end == u64::MAX {
                continue;
            }
            let wanted = wanted[number].bytes();
            for bytes in Self::bytes_of(access, target) {
                let mut dead = IntervalSet::from_iter([bytes]);
                wanted.within(bytes).for_each(|live| dead.remove(live));
                for bytes in dead.iter() {
                    write.dead.insert(Interval::new(
                        Bytes::new(bytes.start),
                        Bytes::new(bytes.end),
                    ));
                }
            }
        }
    }

    /// Whether bytes behind `pointer` may belong to another buffer as well.
    fn has_overlaps(&self, pointer: mem_model::PointerId) -> bool {
        let referents = self.referents.of(pointer);
        referents.iter().any(|referent| {
            let aliasing = self.program.buffers[referent.buffer.index()].aliasing;
            aliasing.may_overlap(aliasing) || aliasing.may_overlap(mem_model::Aliasing::Unknown)
        })
    }
}

/// Whether somebody reads a write: surely, as far as plain uses tell; or maybe, if nothing hides it.
#[derive(Clone, Copy, Debug, Default)]
struct Read {
    surely: bool,
    maybe: bool,
}
