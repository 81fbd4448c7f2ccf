//! Search from a state back to the writes of its bytes: through phis to their operands, and through
//! weak writes to the state below. A weak write ends the search if the context proves that it
//! covers everything searched for, and is skipped if the context proves it irrelevant.
//!
//! Each byte of a value is visited once per context. Contexts lose knowledge at phis, and gain
//! conditions and overwritten views at weak writes. A search that has visited
//! [`Options::max_search`](super::Options::max_search) values continues without a context, in
//! linear time.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::{Access, BlockId, BufferId, Bytes, Interval, IntervalSet, PointerId, StepId};

use super::map::Root;
use super::view::Context;
use super::{AccessId, Dependence, Limit, Reaching, Read, Source, Target, Value, constant_hull};

/// Receives the source of some bytes of a variable. Returns whether to continue.
type Found<'f> = dyn FnMut(Source, u32, Interval<u64>) -> bool + 'f;

/// Number of the empty context.
const IGNORANT: u32 = 0;

struct Search<'s, 'a> {
    of: &'s Dependence<'a>,
    contexts: Vec<Context>,
    numbers: HashMap<Context, u32>,
    seen: HashMap<(u32, u32), IntervalSet<u64>>,
    pending: Vec<Item>,
    variable: u32,
    n_visited: usize,
    found: &'s mut Found<'s>,
    stopped: bool,
}

#[derive(Clone, Copy)]
struct Item {
    value: u32,
    bytes: Interval<u64>,
    context: u32,
}

impl<'a> Dependence<'a> {
    /// The sources of all bytes that the use `access` may see, by buffer and source, in ascending
    /// order. Empty if `access` is unreachable or a definition.
    #[must_use]
    pub fn reaching(&self, access: AccessId) -> Vec<Reaching> {
        let mut all = Collected::default();
        self.search_from(access, &mut |source, variable, bytes| {
            all.add(self, source, variable, bytes);
            true
        });
        all.finish()
    }

    /// The only source of all bytes that the use `access` sees on any path: one access that writes
    /// all of them, the caller, or undefined content. `None` if there are several.
    #[must_use]
    pub fn sole_source(&self, access: AccessId) -> Option<Source> {
        let mut sole = None;
        let mut is_sole = true;
        self.search_from(access, &mut |source, _, _| {
            is_sole = sole.is_none_or(|known| known == source);
            sole = Some(source);
            is_sole
        });
        sole.filter(|_| is_sole)
    }

    /// The only source of the bytes that `access` touches, before its step does anything, on any
    /// path. `None` if there are several. For a definition, this is the source of the bytes that it
    /// overwrites.
    #[must_use]
    pub fn sole_source_before(&self, access: AccessId) -> Option<Source> {
        let block = self.block_of(access.step);
        if !self.states.graph.is_reachable(block) {
            return None;
        }
        let of = self.access(self.number(access));
        let targets = self.targets(of.pointer, constant_hull(of));
        let reads = targets.iter().map(|target| Read {
            variable: target.variable,
            root: self.state_before(access.step, target.variable),
        });
        let reads: Vec<_> = reads.collect();
        if self.is_written_in_flight(block, access.step, &targets) {
            return None;
        }
        let mut sole = None;
        let mut is_sole = true;
        self.search(of, &targets, &reads, &mut |source, _, _| {
            is_sole = sole.is_none_or(|known| known == source);
            sole = Some(source);
            is_sole
        });
        sole.filter(|_| is_sole)
    }

    /// The sources that an access through `pointer` to `range` (`None`: any byte) would see before
    /// `step` does anything.
    #[must_use]
    pub fn reaching_at(
        &self,
        step: StepId,
        pointer: PointerId,
        range: Option<Interval<Bytes>>,
    ) -> Vec<Reaching> {
        let mut access = Access::anywhere(mem_model::AccessKind::Use, pointer);
        access.may = range;
        let mut all = Collected::default();
        if self.states.graph.is_reachable(self.block_of(step)) {
            let targets = self.targets(pointer, range);
            let reads = targets.iter().map(|target| Read {
                variable: target.variable,
                root: self.state_before(step, target.variable),
            });
            let reads: Vec<_> = reads.collect();
            self.search(&access, &targets, &reads, &mut |source, variable, bytes| {
                all.add(self, source, variable, bytes);
                true
            });
        }
        all.finish()
    }

    /// The bytes of `buffer` that the program is guaranteed to have written whenever it returns or
    /// enters a loop that it never leaves.
    #[must_use]
    pub fn overwritten(&self, buffer: BufferId) -> IntervalSet<Bytes> {
        let variable = buffer.index() as u32;
        let extent = self.states.variables.extent(variable);
        let bytes =
            |range: Interval<u64>| Interval::new(Bytes::new(range.start), Bytes::new(range.end));
        let mut overwritten = IntervalSet::new();
        // A block that cannot reach an exit counts as an end: code outside may observe memory
        // meanwhile.
        let is_end = |id: &BlockId| {
            let successors = &self.program.blocks[id.index()].successors;
            self.states.graph.is_reachable(*id)
                && (successors.is_empty() || !self.states.graph.reaches_exit(*id))
        };
        let blocks = (0..self.program.blocks.len()).map(BlockId::new);
        let ends: Vec<BlockId> = blocks.filter(is_end).collect();
        if !ends.is_empty() {
            overwritten.insert(bytes(extent));
        }
        let target = Target {
            variable,
            hull: extent,
            at_start: false,
            exact: false,
        };
        // Without bounds and predicate, its context is empty, so the choice of the pointer is
        // irrelevant.
        let anything = Access::anywhere(mem_model::AccessKind::Use, PointerId::new(0));
        for end in ends {
            let root = self
                .states
                .versions
                .at(variable, end, u32::MAX, &self.states.graph);
            let root = root.unwrap_or(self.states.initial[variable as usize]);
            let reads = [Read { variable, root }];
            self.search(&anything, &[target], &reads, &mut |source, _, range| {
                if !matches!(source, Source::Definition(_)) {
                    overwritten.remove(bytes(range));
                }
                true
            });
        }
        overwritten
    }

    /// Whether the bytes that `access` touches have the same content before step `first` and before
    /// step `second`, whenever control goes from one to the other. False unless `first` dominates
    /// `second`.
    #[must_use]
    pub fn is_unchanged(&self, access: AccessId, first: StepId, second: StepId) -> bool {
        self.is_unchanged_but_for(access, first, second, &[])
    }

    /// Like [`is_unchanged`](Self::is_unchanged), but the definitions `same` may execute in
    /// between. Each must write all bytes that `access` touches, with the content that they have
    /// before `first` (or that `first` writes, if it is one of them) whenever control comes from
    /// there.
    #[must_use]
    pub fn is_unchanged_but_for(
        &self,
        access: AccessId,
        first: StepId,
        second: StepId,
        same: &[AccessId],
    ) -> bool {
        let number = self.number(access);
        let (from, to) = (self.block_of(first), self.block_of(second));
        if !self.states.graph.is_reachable(to)
            || !self.states.graph.dominates(from, to)
            || (from == to && first > second)
        {
            return false;
        }
        let access = self.access(number);
        let context = Context::of(access, &self.states.scope).normalized();
        let targets = self.targets(access.pointer, constant_hull(access));
        let same: Vec<u32> = same.iter().map(|id| self.number(*id)).collect();
        !targets.is_empty()
            && !self.is_written_in_flight(from, first, &targets)
            && targets.iter().all(|target| {
                let states = [first, second].map(|step| self.state_before(step, target.variable));
                self.is_same_content(states, access, target, &context, &same)
            })
    }

    /// Whether every value in the later state is, on any path, a value of the earlier state or one
    /// of the definitions `same`.
    fn is_same_content(
        &self,
        [earlier, later]: [Root; 2],
        access: &Access,
        target: &Target,
        context: &Context,
        same: &[u32],
    ) -> bool {
        let values = |root, bytes, context: &Context| self.relevant_values(root, bytes, context);
        let all: Vec<_> = Self::bytes_of(access, target).collect();
        let gather = |root| {
            let each = all.iter().map(|bytes| values(root, *bytes, context));
            each.collect::<Option<Vec<_>>>().map(|all| all.concat())
        };
        let (Some(before), Some(after)) = (gather(earlier), gather(later)) else {
            return false;
        };
        let holds = |bytes: Interval<u64>, value| {
            let covers = |b: Interval<u64>| b.start <= bytes.start && bytes.end <= b.end;
            before.iter().any(|(b, v)| *v == value && covers(*b))
        };
        let mut pending: Vec<_> = after
            .into_iter()
            .map(|item| (item, context.clone()))
            .collect();
        let mut seen: HashSet<(Interval<u64>, u32)> = HashSet::default();
        while let Some(((bytes, value), context)) = pending.pop() {
            if holds(bytes, value) || !seen.insert((bytes, value)) {
                continue;
            }
            match self.states.values[value as usize] {
                Value::Write { access }
                | Value::Weak {
                    access,
                    is_racing: false,
                    ..
                } if same.contains(&access) => {}
                Value::Phi { phi } if seen.len() <= self.states.options.max_search => {
                    let phi = &self.states.phis[phi as usize];
                    let context = context.enter(phi.block, &self.states.scope, &self.states.graph);
                    let context = context.normalized();
                    for operand in phi.operands.start..phi.operands.end {
                        let root = self.states.operands[operand as usize];
                        match values(root, bytes, &context) {
                            Some(v) => pending.extend(v.into_iter().map(|v| (v, context.clone()))),
                            None => return false,
                        }
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether an asynchronous write may change one of `targets` at any time after `step` starts.
    fn is_written_in_flight(&self, block: BlockId, step: StepId, targets: &[Target]) -> bool {
        let in_flight = self.states.flight.before(self.program, block, step.index());
        let mut numbers = in_flight
            .ones()
            .flat_map(|t| self.states.flight.accesses(t));
        numbers.any(|&number| {
            let access = self.access(number);
            let buffers = self.variables_touched(access).into_iter();
            let buffers: Vec<_> = buffers.map(|v| self.states.variables.buffer(v)).collect();
            // Compares buffers, as a buffer may have got a newer instance since the write was
            // issued.
            access.kind == mem_model::AccessKind::Define
                && targets
                    .iter()
                    .any(|t| buffers.contains(&self.states.variables.buffer(t.variable)))
        })
    }

    /// The values of `bytes` in a state, looking through weak writes that the context excludes.
    /// `None` if there are too many, or if one of them is an asynchronous write.
    fn relevant_values(
        &self,
        root: Root,
        bytes: Interval<u64>,
        context: &Context,
    ) -> Option<Vec<(Interval<u64>, u32)>> {
        let mut values: Vec<(Interval<u64>, u32)> = Vec::new();
        let mut pending = vec![(root, bytes)];
        let mut n_visited = 0;
        while let Some((root, bytes)) = pending.pop() {
            let mut below_ones = Vec::new();
            let mut is_stable = true;
            self.states.maps.for_each(root, bytes, |bytes, value| {
                if let Value::Weak { access, below, .. } = self.states.values[value as usize] {
                    let access = self.access(access);
                    is_stable &= access.token().is_none();
                    if context.excludes(access) {
                        below_ones.push((below, bytes));
                        return;
                    }
                }
                values.push((bytes, value));
            });
            n_visited += 1 + below_ones.len();
            if !is_stable || n_visited > self.states.options.max_search {
                return None;
            }
            pending.extend(below_ones);
        }
        // Merged where one value continues: `is_same_content` looks for a single interval that
        // covers another.
        values.sort_unstable_by_key(|(bytes, _)| *bytes);
        values.dedup_by(|next, last| {
            let joins = last.1 == next.1 && last.0.end == next.0.start;
            if joins {
                last.0.end = next.0.end;
            }
            joins
        });
        Some(values)
    }

    /// The state of a variable before `step` does anything.
    pub(super) fn state_before(&self, step: StepId, variable: u32) -> Root {
        let block = self.block_of(step);
        let first = self.program.blocks[block.index()].steps.start.index();
        let position = (step.index() - first) as u32;
        let found = self
            .states
            .versions
            .at(variable, block, position, &self.states.graph);
        found.unwrap_or(self.states.initial[variable as usize])
    }

    /// Searches for the sources of a use.
    pub(super) fn search_from(&self, access: AccessId, found: &mut Found<'_>) {
        let number = self.number(access);
        let first = self.states.first_read[number as usize] as usize;
        let after = self.states.first_read[number as usize + 1] as usize;
        if first == after {
            return;
        }
        let access_of = self.access(number);
        let targets = self.targets(access_of.pointer, constant_hull(access_of));
        let mut continues = true;
        for late in self.late_reads(number) {
            if continues {
                let source = Source::Definition(self.id(late.writer));
                continues = found(source, late.variable, late.bytes);
            }
        }
        if continues && !self.search(access_of, &targets, &self.states.reads[first..after], found) {
            self.limits.borrow_mut().insert(Limit::Search(access));
        }
    }

    fn late_reads(&self, reader: u32) -> &[super::LateRead] {
        let first = self
            .states
            .late
            .partition_point(|late| late.reader < reader);
        let after = self
            .states
            .late
            .partition_point(|late| late.reader <= reader);
        &self.states.late[first..after]
    }

    /// Searches from the states `reads` of `targets`; false if the budget was exhausted.
    fn search(
        &self,
        access: &Access,
        targets: &[Target],
        reads: &[Read],
        found: &mut Found<'_>,
    ) -> bool {
        let mut found = |source, variable, bytes| found(source, variable, bytes);
        let mut search = Search {
            of: self,
            contexts: vec![Context::default()],
            numbers: HashMap::default(),
            seen: HashMap::default(),
            pending: Vec::new(),
            variable: 0,
            n_visited: 0,
            found: &mut found,
            stopped: false,
        };
        let context = Context::of(access, &self.states.scope);
        let context = search.context_number(context);
        for (target, read) in targets.iter().zip(reads) {
            search.variable = target.variable;
            for bytes in Self::bytes_of(access, target) {
                search.visit(read.root, bytes, context);
            }
            search.run();
        }
        search.n_visited <= self.states.options.max_search
    }
}

impl Search<'_, '_> {
    fn run(&mut self) {
        while let Some(item) = self.pending.pop() {
            if self.stopped {
                self.pending.clear();
                return;
            }
            self.n_visited += 1;
            // Beyond the budget, all items share one context, so that each byte of a value is
            // visited at most once more.
            let context = match self.n_visited > self.of.states.options.max_search {
                true => IGNORANT,
                false => item.context,
            };
            for bytes in self.unseen(item, context) {
                let item = Item {
                    bytes,
                    context,
                    ..item
                };
                self.expand(item);
            }
        }
    }

    /// Marks the bytes of an item as visited, and returns those that were not visited before.
    fn unseen(&mut self, item: Item, context: u32) -> Vec<Interval<u64>> {
        let seen = self.seen.entry((item.value, context)).or_default();
        let mut new = IntervalSet::from_iter([item.bytes]);
        for bytes in seen.within(item.bytes) {
            new.remove(bytes);
        }
        seen.insert(item.bytes);
        new.iter().collect()
    }

    fn expand(&mut self, item: Item) {
        match self.of.states.values[item.value as usize] {
            Value::Undefined | Value::Entry | Value::Write { .. } => {}
            Value::Weak {
                access,
                below,
                exact,
                is_racing,
            } => self.expand_weak(item, access, below, exact, is_racing),
            Value::Phi { phi } => {
                let phi = &self.of.states.phis[phi as usize];
                let context = self.enter(phi.block, item.context);
                for operand in phi.operands.start..phi.operands.end {
                    self.visit(
                        self.of.states.operands[operand as usize],
                        item.bytes,
                        context,
                    );
                }
            }
            Value::Aged { older, newest } => {
                self.visit(older, item.bytes, item.context);
                self.visit(newest, item.bytes, item.context);
            }
        }
    }

    fn expand_weak(&mut self, item: Item, number: u32, below: Root, exact: bool, racing: bool) {
        let access = self.of.access(number);
        let context = &self.contexts[item.context as usize];
        if context.excludes(access) {
            return self.visit(below, item.bytes, item.context);
        }
        let open = context.open_condition(access);
        let is_covered = |bytes| exact && Dependence::surely_covers(access, bytes);
        let covers = is_covered(item.bytes) || context.is_covered_by(access);
        self.report(Source::Definition(self.of.id(number)), item.bytes);
        // A write hides nothing below it for certain if it has several open conditions, is
        // asynchronous, or races with another write.
        let Ok(open) = open.and_then(|open| match access.token() {
            None if !racing => Ok(open),
            _ => Err(()),
        }) else {
            return self.visit(below, item.bytes, item.context);
        };
        let context = &self.contexts[item.context as usize];
        match open {
            None if covers => {}
            // The state below is visible only in executions in which the condition fails.
            Some(literal) if covers => {
                let context = context.assuming_not(literal, &self.of.states.scope);
                let context = self.context_number(context);
                self.visit(below, item.bytes, context);
            }
            None => {
                let context = context.after_overwriting(access, &self.of.states.scope);
                let context = self.context_number(context);
                let mut left = IntervalSet::from_iter([item.bytes]);
                if exact {
                    Dependence::sure_bytes_of(access).for_each(|bytes| left.remove(bytes));
                }
                for bytes in left.iter() {
                    self.visit(below, bytes, context);
                }
            }
            Some(_) => self.visit(below, item.bytes, item.context),
        }
    }

    fn enter(&mut self, block: BlockId, context: u32) -> u32 {
        if context == IGNORANT {
            return IGNORANT;
        }
        let context = &self.contexts[context as usize];
        let entered = context.enter(block, &self.of.states.scope, &self.of.states.graph);
        self.context_number(entered)
    }

    fn context_number(&mut self, context: Context) -> u32 {
        let context = context.normalized();
        if context.is_empty() {
            return IGNORANT;
        }
        if let Some(number) = self.numbers.get(&context) {
            return *number;
        }
        let number = self.contexts.len() as u32;
        self.contexts.push(context.clone());
        self.numbers.insert(context, number);
        number
    }

    /// Reports the bytes whose source is final, and queues the others.
    fn visit(&mut self, root: Root, bytes: Interval<u64>, context: u32) {
        let of = self.of;
        of.states.maps.for_each(root, bytes, |bytes, value| {
            match of.states.values[value as usize] {
                Value::Undefined => self.report(Source::Undefined, bytes),
                Value::Entry => self.report(Source::Entry, bytes),
                Value::Write { access } => self.report(Source::Definition(of.id(access)), bytes),
                Value::Weak { .. } | Value::Phi { .. } | Value::Aged { .. } => {
                    self.pending.push(Item {
                        value,
                        bytes,
                        context,
                    });
                }
            }
        });
    }

    fn report(&mut self, source: Source, bytes: Interval<u64>) {
        if !self.stopped {
            self.stopped = !(self.found)(source, self.variable, bytes);
        }
    }
}

impl Dependence<'_> {
    /// Whether `access`, if it takes place, touches all of `bytes` of an exact target.
    pub(super) fn surely_covers(access: &Access, bytes: Interval<u64>) -> bool {
        Self::sure_bytes_of(access).any(|sure| sure.covers(bytes))
    }
}

/// Search results, grouped by buffer and source.
#[derive(Default)]
struct Collected {
    found: std::collections::BTreeMap<(mem_model::BufferId, Source), IntervalSet<Bytes>>,
}

impl Collected {
    fn add(&mut self, of: &Dependence<'_>, source: Source, variable: u32, bytes: Interval<u64>) {
        let buffer = of.states.variables.buffer(variable);
        let bytes = Interval::new(Bytes::new(bytes.start), Bytes::new(bytes.end));
        self.found
            .entry((buffer, source))
            .or_default()
            .insert(bytes);
    }

    fn finish(self) -> Vec<Reaching> {
        let reaching = |((buffer, source), bytes)| Reaching {
            source,
            buffer,
            bytes,
        };
        self.found.into_iter().map(reaching).collect()
    }
}
