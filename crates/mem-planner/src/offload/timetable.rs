//! Decides which tensors leave the device for which steps, and schedules their copies.
//!
//! # Algorithm
//!
//! Each copy engine has a timetable of busy intervals on the timeline of the program. A tensor with
//! a gap between two uses leaves at the first time at which the engine is free, and returns at the
//! last; such copies are hidden and cost nothing, and they free the steps in between. Candidates
//! are accepted greedily by relief, the excess in bytes and steps that they remove, per engine
//! cycle. The queue is lazy: the relief of a candidate only decreases. Where hidden copies are not
//! enough, control stalls: tensors leave at once and return at the last moment. The room that is
//! left is then spent on issuing these copies earlier and completing them later.
//!
//! # Source
//!
//! Swap time, free time and in-trigger are those of X. Peng et al., "Capuchin" (ASPLOS 2020). The
//! timetable of the engines replaces Capuchin's estimate of the copy time that other link traffic
//! exposes.
//!
//! # Complexity
//!
//! O(gaps * steps) in the worst case, times the number of times that a candidate is reevaluated.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use mem_cost::repeats_before;
use mem_model::{Advice, GapId, Interval, LevelId, LevelProblem, TensorId};

use super::link::Link;
use super::profile::Profile;
use super::tuning;

/// A copy, issued before one step and completed before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copying {
    /// Step before which the copy is issued.
    pub before: usize,
    /// First step that may assume the copy has completed.
    pub until: usize,
    /// Intended start, in cycles; orders copies that are issued before the same step.
    pub start: u64,
}

/// An absence of a tensor from the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leave {
    /// Copying to the host; `None` if the host copy is up to date.
    pub out: Option<Copying>,
    /// Copying back to the device.
    pub back: Copying,
}

impl Leave {
    /// Steps for which its bytes are free, `[start, end)`, if `from` is the first step after its
    /// last use.
    fn absent(&self, from: usize) -> Interval<usize> {
        let start = self.out.map_or(from, |out| out.until);
        Interval::new(start, self.back.before)
    }
}

/// The absences of all tensors.
#[derive(Clone, Debug)]
pub(super) struct Timetable<'a> {
    pub problem: &'a LevelProblem,
    pub profile: &'a Profile,
    /// Indexed by gap of the profile.
    pub leaves: Vec<Option<Leave>>,
    /// Of copies issued before the same step, those to the host come first, then by intended start.
    pub has_outs_first: bool,
    /// Per step: bytes in use on the device.
    used: Vec<u64>,
    /// Per step: bytes in excess of `room`, rounded.
    over: Vec<f32>,
    /// Number of steps with bytes in excess.
    n_over: usize,
    /// Per step: bytes available.
    room: &'a [u64],
    /// Start of each step, and the end of the last, in cycles.
    times: Vec<u64>,
    /// Index of the engine that copies out, and of the one that copies back.
    engines: [usize; 2],
    links: Vec<Link>,
    wishes: &'a Wishes,
    /// Fraction of the best remaining score at which a candidate is accepted.
    nearly: f64,
}

/// Score of a gap: relief per engine cycle.
#[derive(Clone, Copy, Debug)]
struct Offer {
    gap: GapId,
    score: f64,
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Offer {}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        // On a tie, the lower gap comes first: the heap yields its maximum.
        let score = self.score.total_cmp(&other.score);
        score.then(other.gap.cmp(&self.gap))
    }
}

/// Constraints on gaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    /// Per tensor: it never leaves.
    pub stays: Vec<bool>,
    /// Per tensor: it leaves whenever it can.
    pub leaves: Vec<bool>,
    /// Keyed by tensor and step: cycles by which the copy back is brought forward.
    pub leads: BTreeMap<(TensorId, usize), i64>,
}

impl Wishes {
    /// The advice on the tensors of a problem.
    pub(super) fn new(advice: &Advice, problem: &LevelProblem) -> Self {
        let list = |tensors: &BTreeSet<TensorId>| {
            let all = (0..problem.tensors.len()).map(TensorId::new);
            all.map(|tensor| tensors.contains(&tensor)).collect()
        };
        Self {
            stays: list(&advice.stay),
            leaves: list(&advice.leave),
            leads: advice.leads.clone(),
        }
    }

    fn lead(&self, tensor: TensorId, step: usize) -> i64 {
        self.leads.get(&(tensor, step)).copied().unwrap_or(0)
    }
}

impl<'a> Timetable<'a> {
    /// Plans for `room[step]` bytes at each step. `times` holds the start of each step and the end
    /// of the last; if all are equal, no copy is hidden. A candidate is accepted if its score is at
    /// least `nearly` times the next one's, which may be stale and too high. Returns `None` if no
    /// engine copies in one of the directions, or if a step does not fit even after all evictions.
    pub(super) fn new(
        problem: &'a LevelProblem,
        profile: &'a Profile,
        times: Vec<u64>,
        room: &'a [u64],
        wishes: &'a Wishes,
        nearly: f64,
    ) -> Option<Self> {
        let steps = || profile.used.iter().zip(room);
        let mut own = Self {
            problem,
            profile,
            leaves: vec![None; profile.gaps.len()],
            has_outs_first: true,
            over: steps().map(|(used, room)| excess(*used, *room)).collect(),
            used: profile.used.clone(),
            n_over: steps().filter(|(used, room)| used > room).count(),
            room,
            times,
            engines: engines(problem)?,
            links: vec![Link::default(); problem.hierarchy.engines.len()],
            wishes,
            nearly,
        };
        // First, so that all other copies are scheduled around those that the user demands.
        own.send_away();
        // Hidden copies first. Then tensors leave at once and return at the last moment.
        if own.times.last() > own.times.first() {
            own.choose(true, Self::hidden);
        }
        // Gaps that already have a hidden absence take part again: `forced` extends it.
        own.choose(false, |own, gap| Some(own.forced(gap)));
        let fits = own.n_over == 0;
        if fits {
            own.give_time();
        }
        fits.then_some(own)
    }

    /// A timetable in which all tensors stay from their first use to their last.
    pub(super) fn without_copies(
        problem: &'a LevelProblem,
        profile: &'a Profile,
        wishes: &'a Wishes,
    ) -> Self {
        Self {
            problem,
            profile,
            leaves: vec![None; profile.gaps.len()],
            has_outs_first: true,
            used: profile.used.clone(),
            over: Vec::new(),
            n_over: 0,
            room: &[],
            times: Vec::new(),
            engines: [0, 0],
            links: Vec::new(),
            wishes,
            nearly: 1.0,
        }
    }

    /// Whether the host holds the contents of a gap's tensor.
    fn is_on_host(&self, gap: GapId) -> bool {
        let mut changed = false;
        // Backward from the gap: a write or a dead gap since the last copy out makes it stale.
        for own in self
            .profile
            .gaps_of(self.profile.gaps[gap.index()].tensor)
            .rev()
        {
            if own >= gap {
                continue;
            }
            // `is_changed` covers the time since the previous gap, so the flag of the next gap
            // tells whether this absence was followed by a write.
            changed |= self.profile.gaps[own.index() + 1].is_changed;
            if changed || self.profile.gaps[own.index()].is_dead {
                return false;
            }
            if self.leaves[own.index()].is_some() {
                return true;
            }
        }
        false
    }

    /// Last step in `[from, to]` before which a copy may be issued and that starts no later than
    /// `time`.
    fn place_before(&self, tensor: TensorId, from: usize, to: usize, time: u64) -> Option<usize> {
        let upper = self.times[from..=to].partition_point(|start| *start <= time) + from;
        let own = &self.problem.tensors[tensor.index()];
        (from..upper).rev().find(|step| own.can_move_before(*step))
    }

    /// First step in `[from, to]` that starts no earlier than `time` and before which a copy issued
    /// at `from` may complete.
    fn place_after(&self, tensor: TensorId, from: usize, to: usize, time: u64) -> Option<usize> {
        let lower = self.times[from..=to].partition_point(|start| *start < time) + from;
        (lower..=to).find(|step| self.problem.shares_block(tensor, from, *step))
    }

    /// Copies of a gap's tensor that do not stall control, if possible.
    fn hidden(&self, gap: GapId) -> Option<Leave> {
        let Interval { start, end } = self.profile.gaps[gap.index()].steps;
        // A valid copy on the host needs no other.
        let out = match self.is_on_host(gap) {
            true => None,
            false => Some(self.hidden_out(gap)?),
        };
        let free_from = out.map_or(start, |out| out.until);
        let back = self.hidden_back(gap, out, Interval::new(free_from, end))?;
        Some(Leave { out, back })
    }

    /// The first copy out that fits the calendar of the engine.
    fn hidden_out(&self, gap: GapId) -> Option<Copying> {
        let own = &self.profile.gaps[gap.index()];
        let Interval { start, end } = own.steps;
        let cycles = own.cycles[0];
        let link = &self.links[self.engines[0]];
        // As early as possible, since the bytes are free only once the copy has completed.
        let at = link.first_free(self.times[start], cycles);
        let over = at.saturating_add(cycles);
        // A copy that outlasts the gap frees nothing.
        if over > self.times[end] {
            return None;
        }
        let before = self.place_before(own.tensor, start, end, at)?;
        let until = self.place_after(own.tensor, before, end, over)?;
        Some(Copying {
            before,
            until,
            start: at,
        })
    }

    /// The last copy back that fits the calendar of the engine, within the steps at which the tensor
    /// is away.
    fn hidden_back(
        &self,
        gap: GapId,
        out: Option<Copying>,
        away: Interval<usize>,
    ) -> Option<Copying> {
        let own = &self.profile.gaps[gap.index()];
        let (tensor, end) = (own.tensor, away.end);
        let mut link = Cow::Borrowed(&self.links[self.engines[1]]);
        if let Some(out) = out.filter(|_| self.engines[0] == self.engines[1]) {
            // Both copies compete for the same engine.
            link.to_mut().take(out.start, own.cycles[0]);
        }
        let cycles = own.cycles[1];
        let earliest = self.times[away.start];
        let lead = self.wishes.lead(tensor, end);
        let due = self.times[end].saturating_add_signed(lead.saturating_neg());
        // As late as possible: the copy occupies the bytes of its target from its issue on.
        let at = link.last_free(earliest, due, cycles);
        // A wish that cannot be granted is no reason to stall.
        let at = at.or_else(|| link.last_free(earliest, self.times[end], cycles))?;
        let before = self.place_before(tensor, away.start, end, at)?;
        // In another block or loop, the copy would run another number of times.
        let is_possible = self.problem.shares_block(tensor, before, end)
            && repeats_before(self.problem, tensor, before)
                == repeats_before(self.problem, tensor, end);
        is_possible.then_some(Copying {
            before,
            until: end,
            start: at,
        })
    }

    /// Evicts a gap's tensor at once, and brings it back at the last moment. If the tensor is
    /// already absent for part of the gap, extends the absence only on sides where that brings
    /// relief.
    fn forced(&self, gap: GapId) -> Leave {
        let Interval { start, end } = self.profile.gaps[gap.index()].steps;
        // Issued and completed before the same step: `give_time` widens these windows at the end,
        // when it is known how much room is left.
        let at = |step: usize| Copying {
            before: step,
            until: step,
            start: self.times[step],
        };
        let Some(mut known) = self.leaves[gap.index()] else {
            return Leave {
                out: (!self.is_on_host(gap)).then(|| at(start)),
                back: at(end),
            };
        };
        let absent = known.absent(start);
        // A side without relief keeps its hidden copy: forcing it would stall control for nothing.
        if self.relief(gap, Interval::new(start, absent.start)) > 0.0 {
            known.out = known.out.map(|_| at(start));
        }
        if self.relief(gap, Interval::new(absent.end, end)) > 0.0 {
            known.back = at(end);
        }
        known
    }

    /// Steps at which the tensor would be absent under `leave`, but is not yet.
    fn news(&self, gap: GapId, leave: &Leave) -> [Interval<usize>; 2] {
        let start = self.profile.gaps[gap.index()].steps.start;
        let absent = leave.absent(start);
        match self.leaves[gap.index()] {
            // Only `forced` extends a known absence, on either side.
            Some(known) => {
                let known = known.absent(start);
                let before = Interval::new(absent.start, known.start);
                [
                    before,
                    Interval::new(known.end.max(absent.start), absent.end),
                ]
            }
            None => [absent, Interval::new(absent.end, absent.end)],
        }
    }

    /// Excess, in bytes summed over steps, that the absence of a tensor removes.
    fn relief(&self, gap: GapId, absent: Interval<usize>) -> f32 {
        let size = self.profile.sizes[self.profile.gaps[gap.index()].tensor.index()];
        relief(&self.over[absent.start..absent.end.max(absent.start)], size)
    }

    /// Engine cycles of the copies.
    fn link_cycles(&self, gap: GapId, leave: &Leave) -> u64 {
        let [away, back] = self.profile.gaps[gap.index()].cycles;
        back.saturating_add(leave.out.map_or(0, |_| away))
    }

    /// Relief per engine cycle of an absence; `None` if it brings no relief.
    fn offer(&self, gap: GapId, leave: &Leave) -> Option<Offer> {
        let [first, second] = self.news(gap, leave);
        let relief = self.relief(gap, first) + self.relief(gap, second);
        (relief > 0.0).then(|| Offer {
            gap,
            // Copies compete for the engines, so relief is measured against their time rather than
            // against bytes. A copy without cycles must not divide by zero.
            score: f64::from(relief) / self.link_cycles(gap, leave).max(1) as f64,
        })
    }

    fn is_candidate(&self, gap: GapId) -> bool {
        let own = &self.profile.gaps[gap.index()];
        // In a dead gap, there is nothing to copy.
        !own.is_dead && !self.wishes.stays[own.tensor.index()]
    }

    fn accept(&mut self, gap: GapId, leave: Leave, takes_link: bool) {
        let own = self.profile.gaps[gap.index()];
        let size = self.profile.sizes[own.tensor.index()];
        // Only steps at which the tensor was not away already.
        for steps in self.news(gap, &leave) {
            for step in steps.start..steps.end {
                let was_over = self.used[step] > self.room[step];
                self.used[step] -= size;
                self.over[step] = excess(self.used[step], self.room[step]);
                self.n_over -= usize::from(was_over && self.used[step] <= self.room[step]);
            }
        }
        // Control stalls for forced copies, so they are not in the calendar.
        if takes_link {
            if let Some(out) = leave.out {
                let cycles = own.cycles[0];
                self.links[self.engines[0]].take(out.start, cycles);
            }
            let cycles = own.cycles[1];
            self.links[self.engines[1]].take(leave.back.start, cycles);
        }
        self.leaves[gap.index()] = Some(leave);
    }

    /// Evicts the tensors that must leave.
    fn send_away(&mut self) {
        for gap in (0..self.profile.gaps.len()).map(GapId::new) {
            let tensor = self.profile.gaps[gap.index()].tensor;
            if self.is_candidate(gap) && self.wishes.leaves[tensor.index()] {
                let hidden = self.hidden(gap);
                let leave = hidden.unwrap_or_else(|| self.forced(gap));
                self.accept(gap, leave, hidden.is_some());
            }
        }
    }

    /// Accepts nearly the best candidate first, until no step is in excess.
    fn choose(&mut self, takes_link: bool, leave: impl Fn(&Self, GapId) -> Option<Leave>) {
        let gaps = (0..self.profile.gaps.len()).map(GapId::new);
        let gaps = gaps.filter(|gap| self.is_candidate(*gap));
        let offers = gaps.filter_map(|gap| self.offer(gap, &leave(self, gap)?));
        let mut heap: BinaryHeap<Offer> = offers.collect();
        while self.n_over > 0
            && let Some(Offer { gap, .. }) = heap.pop()
        {
            // The calendar has filled up since the candidate was queued: it can only be forced now.
            let Some(leave) = leave(self, gap) else {
                continue;
            };
            // Others have removed the excess at its steps, and the copy would be in vain.
            let Some(offer) = self.offer(gap, &leave) else {
                continue;
            };
            // Relief only decreases, so the scores in the queue are upper bounds: this one is nearly
            // the best even if the next one is up to date.
            match heap.peek() {
                Some(next) if offer.score < next.score * self.nearly => heap.push(offer),
                _ => self.accept(gap, leave, takes_link),
            }
        }
    }

    /// Spends the remaining room on exposed copies: they are issued earlier, and complete later.
    fn give_time(&mut self) {
        let mut order: Vec<GapId> = (0..self.leaves.len())
            .map(GapId::new)
            .filter(|gap| self.leaves[gap.index()].is_some())
            .collect();
        // Copies back come first, in the order in which steps need them; copies out use the rest of
        // the room.
        order.sort_by_key(|gap| self.profile.gaps[gap.index()].steps.end);
        for gap in order.iter().copied() {
            self.begin_earlier(gap);
        }
        order.sort_by_key(|gap| self.profile.gaps[gap.index()].steps.start);
        for gap in order {
            self.end_later(gap);
        }
    }

    /// Issues the copy back of a gap earlier if control would stall for it.
    fn begin_earlier(&mut self, gap: GapId) {
        // Hidden copies already have all the time that they need.
        let is_exposed = |leave: &Leave| leave.back.before == leave.back.until;
        let Some(mut leave) = self.leaves[gap.index()].filter(is_exposed) else {
            return;
        };
        let own = self.profile.gaps[gap.index()];
        let size = self.profile.sizes[own.tensor.index()];
        // The copy out has to complete first.
        let first = leave.absent(own.steps.start).start;
        let end = own.steps.end;
        let lead = self.wishes.lead(own.tensor, end);
        let cycles = own.cycles[1].saturating_mul(tuning::COVER);
        let cycles = cycles.saturating_add_signed(lead);
        let mut step = end;
        let mut best = end;
        // An issue even earlier would hide little more, and hold bytes that other copies can use.
        while step > first && self.times[end] - self.times[best] < cycles {
            step -= 1;
            // The bytes must be free in all steps up to the next use.
            if self.used[step].saturating_add(size) > self.room[step] {
                break;
            }
            // A step before which the copy cannot be issued is passed over, but the bytes must be
            // free there if the copy is issued even earlier.
            if self.can_begin(own.tensor, step, end) {
                best = step;
            }
        }
        // A copy occupies the bytes of its target from its issue on.
        for step in best..end {
            self.used[step] += size;
        }
        leave.back.before = best;
        leave.back.start = self.times[best];
        self.leaves[gap.index()] = Some(leave);
    }

    /// Lets the copy out of a gap complete later if control would stall for it.
    fn end_later(&mut self, gap: GapId) {
        let Some(mut leave) = self.leaves[gap.index()] else {
            return;
        };
        let Some(mut out) = leave.out.filter(|out| out.until == out.before) else {
            return;
        };
        let own = self.profile.gaps[gap.index()];
        let size = self.profile.sizes[own.tensor.index()];
        let cycles = own.cycles[0].saturating_mul(tuning::COVER);
        let start = out.before;
        let mut until = start;
        let mut step = start;
        while step < leave.back.before
            && self.times[until] - self.times[start] < cycles
            && self.used[step].saturating_add(size) <= self.room[step]
        {
            step += 1;
            // A step of another block cannot await the copy, but a later one of the same block may.
            if self.problem.shares_block(own.tensor, start, step) {
                until = step;
            }
        }
        // The source keeps its bytes until the copy completes.
        for step in start..until {
            self.used[step] += size;
        }
        out.until = until;
        leave.out = Some(out);
        self.leaves[gap.index()] = Some(leave);
    }

    /// Whether a copy that completes before step `until` may be issued before `step`.
    fn can_begin(&self, tensor: TensorId, step: usize, until: usize) -> bool {
        self.problem.tensors[tensor.index()].can_move_before(step)
            && self.problem.shares_block(tensor, step, until)
            && repeats_before(self.problem, tensor, step)
                == repeats_before(self.problem, tensor, until)
    }
}

/// Index of the first engine that copies out, and of the first that copies back.
pub(super) fn engines(problem: &LevelProblem) -> Option<[usize; 2]> {
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    // Only the first engine of each direction has a calendar. Ignoring the others is safe for
    // `bound`, which counts all of them.
    let able = |link: (LevelId, LevelId)| {
        let mut engines = problem.hierarchy.engines.iter();
        engines.position(|engine| engine.links.contains(&link))
    };
    Some([able((device, host))?, able((host, device))?])
}

/// Bytes in excess of the capacity, rounded.
fn excess(used: u64, capacity: u64) -> f32 {
    // Only scores use the rounded value: whether a step fits is decided on integers.
    used.saturating_sub(capacity) as f32
}

/// Sum of the excess over the steps, at most `size` bytes of each.
fn relief(over: &[f32], size: u64) -> f32 {
    const LANES: usize = 8;
    let size = size as f32;
    // Independent partial sums: the compiler cannot vectorize a single floating-point sum.
    let mut sums = [0.0_f32; LANES];
    let chunks = over.chunks_exact(LANES);
    let rest: f32 = chunks.remainder().iter().map(|over| over.min(size)).sum();
    for chunk in chunks {
        for (sum, over) in sums.iter_mut().zip(chunk) {
            *sum += over.min(size);
        }
    }
    sums.iter().sum::<f32>() + rest
}
