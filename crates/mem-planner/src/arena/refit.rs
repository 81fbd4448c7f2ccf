//! Adapts a plan to a problem that has changed a little: items that no longer fit where they are
//! move, and push others out of their way.
//!
//! An item goes to the offset at which it displaces the fewest bytes; displaced items go to their
//! own best offset in turn, largest first. The bytes of an item count once more each time it was
//! displaced, so that two items do not take the same place from each other forever. This is
//! iterative repair (Minton et al., "Minimizing conflicts: a heuristic repair method for constraint
//! satisfaction and scheduling problems", 1992) with the weights of squeaky wheel optimization.
//!
//! [`lower`] applies the same to a plan of the problem itself, with a lower peak each time.
//!
//! The search proves nothing: if it fails, there may be a plan all the same. A step is
//! O(n + k log k) for an item with k neighbours among n items.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use mem_model::{Bytes, Interval, Item, Point, Problem};

use super::distance::{Range, ruled_out};
use super::limits::{Clock, Limits};
use super::measure::peak_of;
use super::{PlanOptions, Watch, prepare, tuning};
use crate::MAX_BYTES;

/// Changes `offsets` to a solution in which no item ends above `highest`, and moves few items. Of
/// any two items that clash at `offsets`, one has to be in `changed`. Returns `None` if the search
/// found no solution within the effort and time of `options`, or if the problem has aliases,
/// reserved addresses, fixed items, or invalid alignments.
///
/// # Panics
/// If `offsets` has not one offset per item, or if an index in `changed` is out of range.
#[must_use]
pub fn refit(
    problem: &Problem,
    offsets: &[Bytes],
    changed: &[usize],
    highest: Bytes,
    options: &PlanOptions,
) -> Option<Vec<Bytes>> {
    assert_eq!(offsets.len(), problem.items.len(), "one offset per item");
    if !is_supported(problem) {
        return None;
    }
    let alignments = prepare::alignments(problem, options).ok()?;
    let limits = Limits::new(options, Watch::default());
    Refit::new(
        problem,
        &alignments,
        offsets,
        highest,
        work(&limits),
        limits.clock(),
    )
    .run(changed)
}

/// Lowers the peak of a plan towards `bound`. Steps double with each success and are halved at each
/// failure: small steps succeed more often, and only failures are expensive. Returns offsets with a
/// lower peak than that of `offsets`, if it finds any.
pub(super) fn lower(
    problem: &Problem,
    alignments: &[Bytes],
    offsets: &[Bytes],
    bound: Bytes,
    limits: &Limits<'_>,
) -> Option<Vec<Bytes>> {
    if !is_supported(problem) {
        return None;
    }
    let share = work(limits) / tuning::REFIT_FAILURES;
    let mut best: Option<Vec<Bytes>> = None;
    let mut peak = peak_of(problem, offsets).get();
    let mut step = peak
        .saturating_sub(bound.get())
        .div_ceil(tuning::REFIT_STEPS);
    let mut n_failures = 0;
    while n_failures < tuning::REFIT_FAILURES && step > 0 && !limits.clock().is_over() {
        let start = best.as_deref().unwrap_or(offsets);
        let highest = Bytes::new(peak - step);
        let refit = Refit::new(problem, alignments, start, highest, share, limits.clock());
        match refit.run(&[]) {
            Some(lower) => {
                peak = peak_of(problem, &lower).get();
                best = Some(lower);
                step = (2 * step).min(peak.saturating_sub(bound.get()));
            }
            None => {
                step /= 2;
                n_failures += 1;
            }
        }
    }
    best
}

fn is_supported(problem: &Problem) -> bool {
    let is_free = |item: &Item| item.fixed.is_none();
    problem.aliases.is_empty() && problem.reserved.is_empty() && problem.items.iter().all(is_free)
}

/// The effort of a search, in items and neighbours that are examined.
fn work(limits: &Limits<'_>) -> u64 {
    limits.effort().saturating_mul(tuning::REFIT_PER_EFFORT)
}

/// One end of each blocker's range, ascending, with the number of the blocker.
fn sorted(blockers: &[Blocker], end: fn(&Range) -> i64) -> Vec<(i64, u32)> {
    let numbered = (0..).zip(blockers);
    let mut ends: Vec<(i64, u32)> = numbered.map(|(n, own)| (end(&own.range), n)).collect();
    ends.sort_unstable();
    ends
}

struct Refit<'p> {
    items: &'p [Item],
    alignments: &'p [Bytes],
    highest: u64,
    /// Per item: from the first point at which it is live to the last; `None` for items that
    /// conflict with no other.
    hulls: Vec<Option<Interval<Point>>>,
    /// Per item: the items whose offset it may share although they conflict.
    partners: Vec<Vec<usize>>,
    /// Explicit conflicts, the smaller index first.
    explicit: HashSet<(usize, usize)>,
    offsets: Vec<u64>,
    is_placed: Vec<bool>,
    /// Per item: number of times that it was displaced.
    n_displaced: Vec<u64>,
    work_left: u64,
    clock: Clock<'p>,
}

/// A placed item in the way of another.
struct Blocker {
    item: usize,
    /// Offsets that it rules out.
    range: Range,
    /// Offset at which it nevertheless allows the other item, if it is an operand or a result.
    shared: Option<i64>,
}

impl Blocker {
    fn blocks(&self, offset: i64) -> bool {
        self.range.0 < offset && offset < self.range.1 && self.shared != Some(offset)
    }
}

impl<'p> Refit<'p> {
    fn new(
        problem: &'p Problem,
        alignments: &'p [Bytes],
        offsets: &[Bytes],
        highest: Bytes,
        work_left: u64,
        clock: Clock<'p>,
    ) -> Self {
        let items = &problem.items;
        let mut partners = vec![Vec::new(); items.len()];
        for reuse in &problem.reuses {
            partners[reuse.operand].push(reuse.result);
            partners[reuse.result].push(reuse.operand);
        }
        let hull = |item: &Item| item.hull().filter(|_| item.size > Bytes::ZERO);
        let explicit = problem.conflicts.iter();
        Self {
            items,
            alignments,
            highest: highest.min(MAX_BYTES).get(),
            hulls: items.iter().map(hull).collect(),
            partners,
            explicit: explicit.map(|&(a, b)| (a.min(b), a.max(b))).collect(),
            offsets: offsets.iter().map(|offset| offset.get()).collect(),
            is_placed: vec![true; items.len()],
            n_displaced: vec![0; items.len()],
            work_left,
            clock,
        }
    }

    /// Returns offsets for all items at which none ends above `highest`.
    fn run(mut self, changed: &[usize]) -> Option<Vec<Bytes>> {
        let fits = self
            .items
            .iter()
            .all(|item| item.size.get() <= self.highest);
        let is_placed = fits && {
            self.displace(changed);
            self.place_all()
        };
        is_placed.then(|| self.offsets.into_iter().map(Bytes::new).collect())
    }

    /// Displaces the items that end too high or are not aligned, and the `changed` ones that clash
    /// with others, smallest first.
    fn displace(&mut self, changed: &[usize]) {
        for (index, item) in self.items.iter().enumerate() {
            let offset = self.offsets[index];
            let is_low = offset <= self.highest - item.size.get();
            self.is_placed[index] = is_low && offset.is_multiple_of(self.alignments[index].get());
        }
        let mut changed = changed.to_vec();
        changed.sort_unstable_by_key(|item| (self.items[*item].size, *item));
        for index in changed {
            let offset = self.offsets[index] as i64;
            let clashes = self.blockers(index).iter().any(|b| b.blocks(offset));
            self.is_placed[index] &= !clashes;
        }
    }

    /// Places all displaced items, and those that they displace in turn. Returns `false` if the
    /// effort does not suffice.
    fn place_all(&mut self) -> bool {
        let by_size = |index: usize| (Reverse(self.items[index].size), index);
        let displaced = (0..self.items.len()).filter(|index| !self.is_placed[*index]);
        let mut displaced: BTreeSet<_> = displaced.map(by_size).collect();
        while let Some((_, index)) = displaced.pop_first() {
            if self.clock.is_over() {
                return false;
            }
            let blockers = self.blockers(index);
            let work = (self.items.len() + blockers.len()) as u64;
            let offset = self.best_offset(index, &blockers);
            let (Some(offset), Some(left)) = (offset, self.work_left.checked_sub(work)) else {
                return false;
            };
            self.work_left = left;
            self.offsets[index] = offset;
            self.is_placed[index] = true;
            for other in blockers.iter().filter(|b| b.blocks(offset as i64)) {
                // Several parts of one item may be in the way.
                if std::mem::take(&mut self.is_placed[other.item]) {
                    self.n_displaced[other.item] += 1;
                    displaced.insert((Reverse(self.items[other.item].size), other.item));
                }
            }
        }
        true
    }

    /// Returns what rules out offsets of an item, grouped by item.
    fn blockers(&self, index: usize) -> Vec<Blocker> {
        let mut blockers = Vec::new();
        let Some(hull) = self.hulls[index] else {
            return blockers;
        };
        for (other, other_hull) in self.hulls.iter().enumerate() {
            let pair = (index.min(other), index.max(other));
            let is_explicit = !self.explicit.is_empty() && self.explicit.contains(&pair);
            let may_meet = other_hull.is_some_and(|other| is_explicit || other.overlaps(hull));
            if other == index || !self.is_placed[other] || !may_meet {
                continue;
            }
            let offset = self.offsets[other] as i64;
            let is_partner = self.partners[index].contains(&other);
            let (item, other_item) = (&self.items[index], &self.items[other]);
            ruled_out(item, other_item, is_explicit, |(low, high)| {
                blockers.push(Blocker {
                    item: other,
                    range: (offset + low, offset + high),
                    shared: is_partner.then_some(offset),
                });
            });
        }
        blockers
    }

    /// Returns the offset at which an item displaces the fewest bytes, each counted once more for
    /// each time that its item was displaced before; the present offset on a tie, then the lowest.
    fn best_offset(&self, index: usize, blockers: &[Blocker]) -> Option<u64> {
        let highest = self.highest - self.items[index].size.get();
        let alignment = self.alignments[index].get();
        let present = self.offsets[index];
        // Between two tops, a lower offset displaces no more than a higher one.
        let ends = sorted(blockers, |range| range.1);
        let tops = ends.iter().filter_map(|(end, _)| {
            let top = u64::try_from(*end).ok()?;
            top.checked_next_multiple_of(alignment)
        });
        let shared = blockers
            .iter()
            .filter_map(|b| u64::try_from(b.shared?).ok());
        let offsets = tops.chain(shared).chain([0, present]);
        let is_possible = |offset: &u64| *offset <= highest && offset.is_multiple_of(alignment);
        let mut offsets: Vec<u64> = offsets.filter(is_possible).collect();
        // The tops are ascending already, which the stable sort makes use of.
        offsets.sort();
        offsets.dedup();
        let costs = self.costs(&offsets, blockers, &ends);
        let by_cost = costs.into_iter().zip(offsets);
        let best = by_cost.min_by_key(|(cost, offset)| (*cost, *offset != present, *offset));
        best.map(|(_, offset)| offset)
    }

    /// The weights of the blockers in the way at each of `offsets`, which ascend. `ends`: the upper ends
    /// of the blockers, as by [`sorted`]. A sweep: O(k log k) for k blockers.
    fn costs(&self, offsets: &[u64], blockers: &[Blocker], ends: &[(i64, u32)]) -> Vec<u128> {
        let weight = |blocker: &Blocker| {
            let size = u128::from(self.items[blocker.item].size.get());
            size * (1 + u128::from(self.n_displaced[blocker.item]))
        };
        let weights: Vec<u128> = blockers.iter().map(weight).collect();
        let starts = sorted(blockers, |range| range.0);
        let (mut starts, mut ends) = (starts.into_iter().peekable(), ends.iter().peekable());
        // Ranges are open: at its upper end, a blocker is no longer in the way, and at its lower end
        // not yet.
        let mut in_the_way = 0;
        let mut costs: Vec<u128> = Vec::with_capacity(offsets.len());
        for &offset in offsets {
            while let Some((_, blocker)) = starts.next_if(|(start, _)| *start < offset as i64) {
                in_the_way += weights[blocker as usize];
            }
            while let Some((_, blocker)) = ends.next_if(|(end, _)| *end <= offset as i64) {
                in_the_way -= weights[*blocker as usize];
            }
            costs.push(in_the_way);
        }
        for blocker in blockers {
            let (low, high) = blocker.range;
            let shared = blocker
                .shared
                .filter(|shared| low < *shared && *shared < high);
            let shared = shared.and_then(|shared| offsets.binary_search(&(shared as u64)).ok());
            if let Some(at) = shared {
                costs[at] -= weight(blocker);
            }
        }
        costs
    }
}
