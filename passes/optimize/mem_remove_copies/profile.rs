//! The effect of a merge on memory use: the bytes that are live at each point, and the peak of a
//! plan.

use std::collections::BTreeSet;

use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Interval, IntervalSet, Part, Point, Problem, Program, StepId};
use mem_planner::{PlanOptions, Strategy};

/// Functions with more items than this are not planned for each copy. A merge is accepted there if
/// it does not raise the maximum number of live bytes.
const MAX_PLANNED: usize = 1000;

/// Number of items placed by all plans for single copies of a function together. The copies that
/// remain, the smallest ones, are kept.
const MAX_PLACED: usize = 50_000;

/// The memory use of one function.
#[derive(Clone)]
pub(super) struct Profile {
    lifetimes: Lifetimes,
    problem: Problem,
    /// Indexed by buffer: its item, if it is planned and has only one.
    items: Vec<Option<usize>>,
    /// Indexed by buffer: whether it is planned, but has several items or none.
    is_rotating: Vec<bool>,
    /// Indexed by point: the bytes that are live.
    live_bytes: Vec<i128>,
    /// The maximum of `live_bytes`.
    most_live: i128,
    /// The peak of a plan, if known.
    peak: Option<Bytes>,
    /// Items placed by plans for single copies.
    n_placed: usize,
}

/// The merge of a source with its target.
pub(super) struct Change {
    pub source: BufferId,
    /// All buffers that the target may denote.
    pub targets: Vec<BufferId>,
    /// The bytes of the target that live longer; `None`: all of them.
    pub bytes: Option<Interval<Bytes>>,
    /// Their lifetime is extended from `first` to the copy, and by the lifetime of the source.
    pub first: StepId,
    pub copy: StepId,
}

impl Profile {
    /// `None` if the program is not well-formed.
    pub(super) fn new(program: &Program) -> Option<Self> {
        let lifetimes = mem_flow::analyze_lifetimes(program).ok()?;
        let problem = mem_flow::problem(program, &lifetimes);
        let mut profile = Self {
            items: vec![None; program.buffers.len()],
            is_rotating: lifetimes.slots.iter().map(|n| *n != 1).collect(),
            lifetimes,
            live_bytes: vec![0; 2 * program.steps.len() + 1],
            most_live: 0,
            peak: None,
            n_placed: 0,
            problem: Problem::default(),
        };
        for (index, item) in problem.items.iter().enumerate() {
            profile.items[item.buffer.index()] = Some(index);
            for part in &item.parts {
                add(&mut profile.live_bytes, part, 1);
            }
        }
        profile.most_live = profile.live_bytes.iter().copied().max().unwrap_or(0);
        profile.problem = problem;
        profile.peak = profile.plan();
        Some(profile)
    }

    /// The peak of a plan for the current problem.
    fn plan(&self) -> Option<Bytes> {
        if self.problem.items.len() > MAX_PLANNED {
            return None;
        }
        // Planning repeats for each copy, so the effort is bounded: enough to place everything once
        // or twice.
        let n_items = self.problem.items.len() as u64;
        let options = PlanOptions::default().with_effort(n_items * (2 * n_items + 1000));
        let plan = mem_planner::plan(&self.problem, Strategy::Auto, &options);
        plan.ok().map(|plan| plan.peak)
    }

    /// Whether all merges so far can stay: the peak has not risen, and it is at the lower bound, so
    /// that no other plan is better.
    pub(super) fn is_best(&self) -> bool {
        let Some(peak) = self.peak else {
            return true;
        };
        let is_least = |new: Bytes| new <= peak && i128::from(new.get()) <= self.most_live;
        self.plan().is_some_and(is_least)
    }

    /// As [`accept`](Self::accept), but the peak of a plan must not rise either.
    pub(super) fn accept_planned(&mut self, change: &Change) -> bool {
        let before = (
            self.problem.clone(),
            self.live_bytes.clone(),
            self.most_live,
        );
        if !self.accept(change) {
            return false;
        }
        let Some(peak) = self.peak else {
            return true;
        };
        self.n_placed += self.problem.items.len();
        let plan = (self.n_placed <= MAX_PLACED).then(|| self.plan()).flatten();
        let new = plan.filter(|new| *new <= peak);
        match new {
            Some(new) => self.peak = Some(new),
            None => (self.problem, self.live_bytes, self.most_live) = before,
        }
        new.is_some()
    }

    /// Applies a merge, unless it would raise the maximum number of live bytes, or involves a
    /// buffer whose instances rotate. Returns whether it was applied.
    pub(super) fn accept(&mut self, change: &Change) -> bool {
        let buffers = || {
            [change.source]
                .into_iter()
                .chain(change.targets.iter().copied())
        };
        if buffers().any(|buffer| self.is_rotating[buffer.index()]) {
            return false;
        }
        let before: Vec<(usize, Vec<Part>)> = buffers()
            .filter_map(|buffer| self.items[buffer.index()])
            .map(|item| (item, self.problem.items[item].parts.clone()))
            .collect();
        let mut needed = self.lifetimes.live(change.source);
        needed.insert(Interval::of_steps(change.first, change.copy));
        for (item, parts) in &before {
            let item_of = &self.problem.items[*item];
            let new = match item_of.buffer == change.source {
                true => vec![Part::whole(item_of.size, IntervalSet::new())],
                false => live_longer(parts, item_of.size, change.bytes, &needed),
            };
            self.replace(*item, new);
        }
        let points = before.iter().flat_map(|(_, parts)| parts);
        let points = points
            .flat_map(|part| part.live.iter())
            .chain(needed.iter());
        let highest = |i: Interval<Point>| {
            let range = i.start.index() as usize..i.end.index() as usize;
            self.live_bytes[range].iter().copied().max().unwrap_or(0)
        };
        let fits = points.into_iter().all(|i| highest(i) <= self.most_live);
        match fits {
            // A saving by one merge must not be lost to another.
            true => {
                self.most_live = self.live_bytes.iter().copied().max().unwrap_or(0);
                self.keep_reuses(&before);
            }
            false => before
                .into_iter()
                .for_each(|(item, parts)| self.replace(item, parts)),
        }
        fits
    }

    /// Drops reuses between items that are now live together where they were not `before`.
    fn keep_reuses(&mut self, before: &[(usize, Vec<Part>)]) {
        let items = &self.problem.items;
        let old = |item: usize| {
            let changed = before.iter().find(|(changed, _)| *changed == item);
            changed.map_or_else(|| items[item].live(), |(_, parts)| Part::union_of(parts))
        };
        let is_as_before = |reuse: &mem_model::Reuse| {
            let (a, b) = (reuse.operand, reuse.result);
            let together = items[a].live().intersection(&items[b].live());
            let before = old(a).intersection(&old(b));
            together.iter().all(|interval| before.covers(interval))
        };
        let is_changed = |item: usize| before.iter().any(|(changed, _)| *changed == item);
        let reuses = std::mem::take(&mut self.problem.reuses);
        let kept = reuses.into_iter().filter(|reuse| {
            !(is_changed(reuse.operand) || is_changed(reuse.result)) || is_as_before(reuse)
        });
        self.problem.reuses = kept.collect();
    }

    /// Replaces the lifetimes of an item.
    fn replace(&mut self, item: usize, parts: Vec<Part>) {
        for part in &self.problem.items[item].parts {
            add(&mut self.live_bytes, part, -1);
        }
        for part in &parts {
            add(&mut self.live_bytes, part, 1);
        }
        self.problem.items[item].parts = parts;
    }
}

/// Adds the bytes of a part to the live bytes, or subtracts them.
fn add(live_bytes: &mut [i128], part: &Part, sign: i128) {
    let size = i128::from(part.size().get()) * sign;
    for interval in part.live.iter() {
        for point in interval.start.index()..interval.end.index() {
            live_bytes[point as usize] += size;
        }
    }
}

/// The parts of an item of `size` bytes once `bytes` of it are also live while `needed`.
fn live_longer(
    parts: &[Part],
    size: Bytes,
    bytes: Option<Interval<Bytes>>,
    needed: &IntervalSet<Point>,
) -> Vec<Part> {
    let whole = Interval::new(Bytes::ZERO, size);
    let longer = bytes.map_or(whole, |bytes| bytes.intersection(whole));
    let bounds = parts
        .iter()
        .flat_map(|part| [part.bytes.start, part.bytes.end]);
    let bounds: BTreeSet<Bytes> = bounds
        .chain([whole.start, longer.start, longer.end, whole.end])
        .collect();
    let bounds: Vec<Bytes> = bounds.into_iter().collect();
    let mut new: Vec<Part> = Vec::new();
    for pair in bounds.windows(2) {
        let bytes = Interval::new(pair[0], pair[1]);
        let old = parts.iter().find(|part| part.bytes.covers(bytes));
        let mut live = old.map(|part| part.live.clone()).unwrap_or_default();
        if longer.covers(bytes) {
            live = live.union(needed);
        }
        match new.last_mut() {
            Some(last) if last.live == live => last.bytes.end = bytes.end,
            _ => new.push(Part { bytes, live }),
        }
    }
    new
}
