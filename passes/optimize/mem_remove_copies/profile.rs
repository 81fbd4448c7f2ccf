//! The effect of a merge on memory use: the bytes that are live at each point, and the peak of a
//! plan.
//!
//! Everything is planned once. Each merge then changes the lifetimes of a few buffers, and the plan
//! is adapted by moving what no longer fits ([`mem_planner::refit`]), in a thousandth of the time. The
//! next round starts with the plan of the previous one: a plan from scratch could be worse.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Interval, IntervalSet, Item, Part, Point, Problem, StepId};
use mem_planner::{PlanOptions, Strategy};

use crate::extract::Extraction;
use crate::ir::Op;

/// Functions with more items than this are not planned. A merge is accepted there if it does not
/// raise the maximum number of live bytes.
const MAX_PLANNED: usize = 1000;

/// Effort of adapting the plan to a merge: a few milliseconds. Most merges that fit take a hundredth
/// of it, and those that do not fit take all of it.
const REFIT_EFFORT: u64 = 50_000;

/// The memory use of one function.
pub(super) struct Profile {
    lifetimes: Lifetimes,
    problem: Problem,
    /// Indexed by buffer: its item, if it is planned and has only one.
    items: Vec<Option<usize>>,
    /// Indexed by buffer: whether it is planned, but has several items or none.
    is_rotating: Vec<bool>,
    live: LiveBytes,
    /// A plan for the current problem, if known.
    packing: Option<Packing>,
}

/// A plan, which each merge has to be compatible with.
struct Packing {
    /// Indexed by item.
    offsets: Vec<Bytes>,
    limits: Limits,
}

/// The memory use that no merge may exceed.
#[derive(Clone, Copy)]
struct Limits {
    /// The peak of the plan.
    peak: Bytes,
    /// The lower bound on the peak of any plan. The plan may be far above it, so that merges that
    /// raise the bound would go unnoticed, and rule out better plans.
    bound: Bytes,
    /// The bound when everything was last planned from scratch.
    planned_bound: Bytes,
}

/// The plan of the previous round, by operations: ids change from round to round, but no merge
/// creates a buffer.
pub(super) struct Known {
    /// The offset of each slot of a buffer.
    offsets: HashMap<(Op, u32), Bytes>,
    limits: Limits,
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

/// What a merge has changed.
struct Before {
    /// Items, and their lifetimes before.
    parts: Vec<(usize, Vec<Part>)>,
    reuses: Vec<mem_model::Reuse>,
    highest: Highest,
}

/// The bytes that are live at each point.
#[derive(Default)]
struct LiveBytes {
    /// Indexed by point.
    bytes: Vec<i128>,
    highest: Highest,
}

/// The most bytes that are live at any point.
#[derive(Clone, Copy, Default)]
struct Highest {
    bytes: i128,
    /// Number of points with that many. A merge changes few points, and rarely all of these.
    n_points: usize,
}

impl LiveBytes {
    /// Finds the highest point. Linear in points.
    fn new(bytes: Vec<i128>) -> Self {
        let most = bytes.iter().copied().max().unwrap_or(0);
        let n_points = bytes.iter().filter(|own| **own == most).count();
        let highest = Highest {
            bytes: most,
            n_points,
        };
        Self { bytes, highest }
    }

    /// The most bytes in an interval.
    fn most_within(&self, interval: Interval<Point>) -> i128 {
        let range = interval.start.index() as usize..interval.end.index() as usize;
        self.bytes[range].iter().copied().max().unwrap_or(0)
    }

    /// Adds the bytes of a part, or subtracts them.
    fn add(&mut self, part: &Part, sign: i128) {
        let size = i128::from(part.size().get()) * sign;
        for interval in part.live.iter() {
            for point in interval.start.index()..interval.end.index() {
                let own = &mut self.bytes[point as usize];
                self.highest.n_points -= usize::from(*own == self.highest.bytes);
                *own += size;
                self.highest.n_points += usize::from(*own == self.highest.bytes);
            }
        }
    }

    /// Finds the highest point again if there is no point as high as before. None is higher.
    fn lower(&mut self) {
        if self.highest.n_points == 0 {
            *self = Self::new(std::mem::take(&mut self.bytes));
        }
    }
}

impl Profile {
    /// `None` if the program is not well-formed. `known`: the plan of the previous round.
    pub(super) fn new(extraction: &Extraction, known: Option<&Known>) -> Option<Self> {
        let program = &extraction.program;
        let lifetimes = extraction.lifetimes().ok()?;
        let problem = mem_flow::problem(program, &lifetimes);
        let mut profile = Self {
            items: vec![None; program.buffers.len()],
            is_rotating: lifetimes.slots.iter().map(|n| *n != 1).collect(),
            lifetimes,
            live: LiveBytes::default(),
            packing: None,
            problem: Problem::default(),
        };
        let mut live_bytes = vec![0; 2 * program.steps.len() + 1];
        for (index, item) in problem.items.iter().enumerate() {
            profile.items[item.buffer.index()] = Some(index);
            // Changes from point to point, summed up below.
            for part in &item.parts {
                let size = i128::from(part.size().get());
                for interval in part.live.iter() {
                    live_bytes[interval.start.index() as usize] += size;
                    // Nothing lies after the last point.
                    if let Some(end) = live_bytes.get_mut(interval.end.index() as usize) {
                        *end -= size;
                    }
                }
            }
        }
        let mut live = 0;
        for bytes in &mut live_bytes {
            live += *bytes;
            *bytes = live;
        }
        profile.live = LiveBytes::new(live_bytes);
        profile.problem = problem;
        if profile.problem.items.len() <= MAX_PLANNED {
            profile.packing = profile.pack(extraction, known);
        }
        Some(profile)
    }

    /// A plan for the problem of a round. Plans from scratch in the first round, and whenever merges
    /// have lowered the bound, so that a lower peak is likely.
    fn pack(&self, extraction: &Extraction, known: Option<&Known>) -> Option<Packing> {
        let bound = mem_planner::lower_bound(&self.problem)?;
        let recalled = known.and_then(|known| self.recall(extraction, known, bound));
        let is_recent = |packing: &Packing| packing.limits.planned_bound <= bound;
        if recalled.as_ref().is_some_and(is_recent) {
            return recalled;
        }
        let both = recalled.into_iter().chain(self.plan(bound));
        let mut best = both.min_by_key(|packing| packing.limits.peak)?;
        best.limits.planned_bound = bound;
        Some(best)
    }

    /// The plan of the previous round, adapted to the ids of this one.
    fn recall(&self, extraction: &Extraction, known: &Known, bound: Bytes) -> Option<Packing> {
        let offset = |item: &Item| {
            let op = extraction.buffer_ops[item.buffer.index()];
            let offset = op.and_then(|op| known.offsets.get(&(op, item.slot)));
            offset.copied().unwrap_or_default()
        };
        let offsets: Vec<Bytes> = self.problem.items.iter().map(offset).collect();
        // Lifetimes may differ from those that the merges of the previous round were assumed to lead
        // to.
        let all: Vec<usize> = (0..offsets.len()).collect();
        let limits = Limits {
            bound,
            ..known.limits
        };
        self.refit(&offsets, &all, limits)
    }

    /// The present plan, for the next round.
    pub(super) fn known(&self, extraction: &Extraction) -> Option<Known> {
        let packing = self.packing.as_ref()?;
        let slots = self.problem.items.iter().zip(&packing.offsets);
        let offsets = slots.filter_map(|(item, offset)| {
            let op = extraction.buffer_ops[item.buffer.index()]?;
            Some(((op, item.slot), *offset))
        });
        Some(Known {
            offsets: offsets.collect(),
            limits: packing.limits,
        })
    }

    /// Plans from scratch. `bound`: the lower bound of the problem.
    fn plan(&self, bound: Bytes) -> Option<Packing> {
        // Enough to place everything once or twice. Merges save more than a better plan does.
        let n_items = self.problem.items.len() as u64;
        let options = PlanOptions::default().with_effort(n_items * (2 * n_items + 1000));
        let plan = mem_planner::plan(&self.problem, Strategy::Auto, &options).ok()?;
        Some(Packing {
            offsets: plan.placements.iter().map(|p| p.offset).collect(),
            limits: Limits {
                peak: plan.peak,
                bound,
                planned_bound: bound,
            },
        })
    }

    /// Adapts a plan to the current problem, in which the items in `changed` have other lifetimes.
    fn refit(&self, offsets: &[Bytes], changed: &[usize], limits: Limits) -> Option<Packing> {
        let options = PlanOptions::default().with_effort(REFIT_EFFORT);
        let offsets = mem_planner::refit(&self.problem, offsets, changed, limits.peak, &options)?;
        Some(Packing { offsets, limits })
    }

    /// As [`accept`](Self::accept), but neither the peak of the plan nor the lower bound on it must
    /// rise.
    pub(super) fn accept_planned(&mut self, change: &Change) -> bool {
        let Some(before) = self.accept(change) else {
            return false;
        };
        let Some(packing) = self.packing.take() else {
            return true;
        };
        let new = self.adapt(&packing, change);
        let is_accepted = new.is_some();
        if !is_accepted {
            self.take_back(before);
        }
        self.packing = Some(new.unwrap_or(packing));
        is_accepted
    }

    /// Takes a merge back that was the last one to be applied.
    fn take_back(&mut self, before: Before) {
        for (item, parts) in before.parts {
            self.replace(item, parts);
        }
        (self.problem.reuses, self.live.highest) = (before.reuses, before.highest);
    }

    /// A plan for the problem after a merge. `None`: the bound is higher, or no plan was found.
    fn adapt(&self, packing: &Packing, change: &Change) -> Option<Packing> {
        let bound = mem_planner::lower_bound(&self.problem)?;
        // The source is no longer live, and collides with nothing.
        let targets = change.targets.iter();
        let changed: Vec<usize> = targets.filter_map(|b| self.items[b.index()]).collect();
        let saved = packing.limits.bound.checked_sub(bound)?;
        let limits = Limits {
            bound,
            ..packing.limits
        };
        let refit = |limits| self.refit(&packing.offsets, &changed, limits);
        // A saving by one merge must not be lost to another, so the peak should fall with the bound.
        let lower = packing.limits.peak.checked_sub(saved);
        let lower = lower.filter(|peak| *peak < limits.peak);
        let refitted = lower.and_then(|peak| refit(Limits { peak, ..limits }));
        refitted.or_else(|| refit(limits))
    }

    /// Applies a merge, unless it would raise the maximum number of live bytes, or involves a
    /// buffer whose instances rotate. Returns what it has changed if it was applied.
    fn accept(&mut self, change: &Change) -> Option<Before> {
        let buffers = || {
            [change.source]
                .into_iter()
                .chain(change.targets.iter().copied())
        };
        if buffers().any(|buffer| self.is_rotating[buffer.index()]) {
            return None;
        }
        let before: Vec<(usize, Vec<Part>)> = buffers()
            .filter_map(|buffer| self.items[buffer.index()])
            .map(|item| (item, self.problem.items[item].parts.clone()))
            .collect();
        let highest = self.live.highest;
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
        let is_low = |interval| self.live.most_within(interval) <= highest.bytes;
        let fits = points.into_iter().all(is_low);
        if !fits {
            for (item, parts) in before {
                self.replace(item, parts);
            }
            return None;
        }
        // A saving by one merge must not be lost to another.
        self.live.lower();
        Some(Before {
            reuses: self.keep_reuses(&before),
            parts: before,
            highest,
        })
    }

    /// Drops reuses between items that are now live together where they were not `before`. Returns all
    /// that there were.
    fn keep_reuses(&mut self, before: &[(usize, Vec<Part>)]) -> Vec<mem_model::Reuse> {
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
        let kept = self.problem.reuses.iter().filter(|reuse| {
            !(is_changed(reuse.operand) || is_changed(reuse.result)) || is_as_before(reuse)
        });
        let kept = kept.copied().collect();
        std::mem::replace(&mut self.problem.reuses, kept)
    }

    /// Replaces the lifetimes of an item.
    fn replace(&mut self, item: usize, parts: Vec<Part>) {
        for part in &self.problem.items[item].parts {
            self.live.add(part, -1);
        }
        for part in &parts {
            self.live.add(part, 1);
        }
        self.problem.items[item].parts = parts;
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
