//! Which tensors leave the device for some steps, and when they are copied away and back.
//!
//! # Idea
//!
//! Copies have a timetable: each engine is busy at some times of the program as it would run without them. A tensor that is not
//! used for a while leaves at the first time at which the engine is free, and comes back at the last, and what
//! that gives is the steps in between: what is hidden costs nothing. Of all tensors the one goes first that takes away most of what is too
//! much, in bytes and steps, for each cycle of the engines (lazily: what a tensor gives only gets less). Where that is
//! not enough, control waits: tensors leave at once and come back at the last moment, and what room is left is then given to
//! beginning earlier and ending later.
//!
//! # Source
//!
//! Swap time, free time and in-trigger are those of X. Peng et al., "Capuchin" (ASPLOS 2020); the engines' timetable is in the place of its
//! estimate of what the link's other traffic does not hide.
//!
//! # Complexity
//!
//! O(gaps * steps) in the worst case, and a factor for those that are looked at again.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use mem_model::{Interval, LevelId, LevelProblem, repeats_before};

use super::link::Link;
use super::profile::Profile;

/// A copy: asked for in front of one step, over in front of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Copy {
    /// The step in front of which it is asked for.
    pub before: usize,
    /// The step in front of which it is over.
    pub until: usize,
    /// When it is meant to begin; those of one gap are asked for in this order.
    pub start: u64,
}

/// A tensor that leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leave {
    /// Away; none: the host has it.
    pub out: Option<Copy>,
    /// And back.
    pub back: Copy,
}

impl Leave {
    /// The steps for which its bytes are free, if it is used no more from `from` on.
    fn absent(&self, from: usize) -> Interval<usize> {
        let start = self.out.map_or(from, |out| out.until);
        Interval::new(start, self.back.before)
    }
}

/// Who leaves when.
#[derive(Clone, Debug)]
pub(super) struct Timetable<'a> {
    pub problem: &'a LevelProblem,
    pub profile: &'a Profile,
    /// By gap of the profile.
    pub leaves: Vec<Option<Leave>>,
    /// By step: bytes on the device.
    used: Vec<u64>,
    /// By step: bytes that are too much, rounded.
    over: Vec<f32>,
    /// Steps with bytes that are too much.
    n_over: usize,
    /// By step: what there is.
    room: &'a [u64],
    /// By step, and behind the last: when it begins.
    times: Vec<u64>,
    /// Of what copies away, and what copies back: the number.
    engines: [usize; 2],
    links: Vec<Link>,
    wishes: &'a Wishes,
    nearly: f64,
}

/// What a gap has to give, for what.
#[derive(Clone, Copy, Debug)]
struct Offer {
    gap: usize,
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
        let score = self.score.total_cmp(&other.score);
        score.then(other.gap.cmp(&self.gap))
    }
}

/// Gaps that are not as others.
#[derive(Clone, Debug, Default)]
pub(super) struct Wishes {
    /// By tensor: it never leaves.
    pub stays: Vec<bool>,
    /// By tensor: it leaves whenever it can.
    pub leaves: Vec<bool>,
    /// By tensor and step: how much earlier it is asked for.
    pub leads: HashMap<(usize, usize), i64>,
}

impl Wishes {
    fn lead(&self, tensor: usize, step: usize) -> i64 {
        self.leads.get(&(tensor, step)).copied().unwrap_or(0)
    }
}

impl<'a> Timetable<'a> {
    /// Plans for so many bytes at each step. `times`: by step, and behind the last, when it begins; if all is at once, no copy is hidden.
    /// What gives `nearly` as much as another has promised goes first: that one gives less by now as well. None if there is no engine
    /// for one of both directions, or something does not fit, whoever leaves.
    pub fn new(
        problem: &'a LevelProblem,
        profile: &'a Profile,
        times: Vec<u64>,
        room: &'a [u64],
        wishes: &'a Wishes,
        nearly: f64,
    ) -> Option<Self> {
        let (device, host) = (LevelId::new(0), LevelId::new(1));
        let able = |link: (LevelId, LevelId)| {
            let mut engines = problem.hierarchy.engines.iter();
            engines.position(|engine| engine.links.contains(&link))
        };
        let engines = [able((device, host))?, able((host, device))?];
        let steps = profile.used.iter().zip(room);
        let is_over = steps.map(|(used, room)| used > room);
        let mut own = Self {
            problem,
            profile,
            leaves: vec![None; profile.gaps.len()],
            over: profile
                .used
                .iter()
                .zip(room)
                .map(|(used, room)| excess(*used, *room))
                .collect(),
            used: profile.used.clone(),
            n_over: is_over.filter(|is_over| *is_over).count(),
            room,
            times,
            engines,
            links: vec![Link::default(); problem.hierarchy.engines.len()],
            wishes,
            nearly,
        };
        own.send_away();
        // Tensors leave without anybody waiting, and then at once and until the last moment.
        if own.times.last() > own.times.first() {
            own.choose(true, Self::hidden);
        }
        own.choose(false, |own, gap| Some(own.forced(gap)));
        let fits = own.n_over == 0;
        if fits {
            own.give_time();
        }
        fits.then_some(own)
    }

    /// Whether the host has what a gap's tensor holds.
    fn is_on_host(&self, gap: usize) -> bool {
        let mut changed = false;
        for own in self.profile.gaps_of(self.profile.gaps[gap].tensor).rev() {
            if own >= gap {
                continue;
            }
            changed |= self.profile.gaps[own + 1].is_changed;
            if changed || self.profile.gaps[own].is_dead {
                return false;
            }
            if self.leaves[own].is_some() {
                return true;
            }
        }
        false
    }

    /// The last place from `from` to `to` at which a tensor may be asked for at a time.
    fn place_before(&self, tensor: usize, from: usize, to: usize, time: u64) -> Option<usize> {
        let upper = self.times[from..=to].partition_point(|start| *start <= time) + from;
        let own = &self.problem.tensors[tensor];
        (from..upper).rev().find(|step| own.can_move_before(*step))
    }

    /// The first place from `from` to `to` at which a copy that began there is over at a time.
    fn place_behind(&self, tensor: usize, from: usize, to: usize, time: u64) -> Option<usize> {
        let lower = self.times[from..=to].partition_point(|start| *start < time) + from;
        (lower..=to).find(|step| self.problem.shares_block(tensor, from, *step))
    }

    /// When a gap's tensor can be copied without anybody waiting.
    fn hidden(&self, gap: usize) -> Option<Leave> {
        let own = &self.profile.gaps[gap];
        let Interval { start, end } = own.steps;
        let tensor = own.tensor;
        let mut free_from = start;
        let mut out = None;
        if !self.is_on_host(gap) {
            let cycles = own.cycles[0];
            let link = &self.links[self.engines[0]];
            let at = link.first_free(self.times[start], cycles);
            let over = at.saturating_add(cycles);
            if over > self.times[end] {
                return None;
            }
            let before = self.place_before(tensor, start, end, at)?;
            let until = self.place_behind(tensor, before, end, over)?;
            out = Some(Copy {
                before,
                until,
                start: at,
            });
            free_from = until;
        }
        let cycles = own.cycles[1];
        let mut link = Cow::Borrowed(&self.links[self.engines[1]]);
        if let Some(out) = out.filter(|_| self.engines[0] == self.engines[1]) {
            // Both have to find time on the same engine.
            let cycles = own.cycles[0];
            link.to_mut().take(out.start, cycles);
        }
        let earliest = self.times[free_from];
        let lead = self.wishes.lead(tensor, end);
        let due = self.times[end].saturating_add_signed(lead.saturating_neg());
        let at = link.last_free(earliest, due, cycles);
        let at = at.or_else(|| link.last_free(earliest, self.times[end], cycles))?;
        let before = self.place_before(tensor, free_from, end, at)?;
        let is_possible = self.problem.shares_block(tensor, before, end)
            && repeats_before(self.problem, tensor, before)
                == repeats_before(self.problem, tensor, end);
        is_possible.then_some(Leave {
            out,
            back: Copy {
                before,
                until: end,
                start: at,
            },
        })
    }

    /// A gap's tensor leaves at once, and comes back at the last moment; one that is away for a part of the gap already, as far as
    /// that helps.
    fn forced(&self, gap: usize) -> Leave {
        let Interval { start, end } = self.profile.gaps[gap].steps;
        let at = |step: usize| Copy {
            before: step,
            until: step,
            start: self.times[step],
        };
        let Some(mut known) = self.leaves[gap] else {
            return Leave {
                out: (!self.is_on_host(gap)).then(|| at(start)),
                back: at(end),
            };
        };
        let absent = known.absent(start);
        if self.relief(gap, Interval::new(start, absent.start)) > 0.0 {
            known.out = known.out.map(|_| at(start));
        }
        if self.relief(gap, Interval::new(absent.end, end)) > 0.0 {
            known.back = at(end);
        }
        known
    }

    /// Steps in which a tensor is absent that it is not yet.
    fn news(&self, gap: usize, leave: &Leave) -> [Interval<usize>; 2] {
        let start = self.profile.gaps[gap].steps.start;
        let absent = leave.absent(start);
        match self.leaves[gap] {
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

    /// How many bytes and steps of what is too much a tensor takes away if it is absent.
    fn relief(&self, gap: usize, absent: Interval<usize>) -> f32 {
        let size = self.profile.sizes[self.profile.gaps[gap].tensor];
        relief(&self.over[absent.start..absent.end.max(absent.start)], size)
    }

    /// What copying costs, in cycles of engines.
    fn link_cycles(&self, gap: usize, leave: &Leave) -> u64 {
        let [away, back] = self.profile.gaps[gap].cycles;
        back.saturating_add(leave.out.map_or(0, |_| away))
    }

    /// What a tensor gives if it leaves so, for each cycle of the engines; none: nothing.
    fn offer(&self, gap: usize, leave: &Leave) -> Option<Offer> {
        let [first, second] = self.news(gap, leave);
        let relief = self.relief(gap, first) + self.relief(gap, second);
        (relief > 0.0).then(|| Offer {
            gap,
            score: f64::from(relief) / self.link_cycles(gap, leave).max(1) as f64,
        })
    }

    fn is_candidate(&self, gap: usize) -> bool {
        let own = &self.profile.gaps[gap];
        !own.is_dead && !self.wishes.stays[own.tensor]
    }

    fn accept(&mut self, gap: usize, leave: Leave, takes_link: bool) {
        let own = self.profile.gaps[gap];
        let size = self.profile.sizes[own.tensor];
        for steps in self.news(gap, &leave) {
            for step in steps.start..steps.end {
                let was_over = self.used[step] > self.room[step];
                self.used[step] -= size;
                self.over[step] = excess(self.used[step], self.room[step]);
                self.n_over -= usize::from(was_over && self.used[step] <= self.room[step]);
            }
        }
        if takes_link {
            if let Some(out) = leave.out {
                let cycles = own.cycles[0];
                self.links[self.engines[0]].take(out.start, cycles);
            }
            let cycles = own.cycles[1];
            self.links[self.engines[1]].take(leave.back.start, cycles);
        }
        self.leaves[gap] = Some(leave);
    }

    /// What has to leave does.
    fn send_away(&mut self) {
        for gap in 0..self.profile.gaps.len() {
            let tensor = self.profile.gaps[gap].tensor;
            if self.is_candidate(gap) && self.wishes.leaves[tensor] {
                let hidden = self.hidden(gap);
                let leave = hidden.unwrap_or_else(|| self.forced(gap));
                self.accept(gap, leave, hidden.is_some());
            }
        }
    }

    /// What is nearly the best offer first, until nothing is too much.
    fn choose(&mut self, takes_link: bool, leave: impl Fn(&Self, usize) -> Option<Leave>) {
        let gaps = (0..self.profile.gaps.len()).filter(|gap| self.is_candidate(*gap));
        let offers = gaps.filter_map(|gap| self.offer(gap, &leave(self, gap)?));
        let mut heap: BinaryHeap<Offer> = offers.collect();
        while self.n_over > 0
            && let Some(Offer { gap, .. }) = heap.pop()
        {
            let Some(leave) = leave(self, gap) else {
                continue;
            };
            let Some(offer) = self.offer(gap, &leave) else {
                continue;
            };
            match heap.peek() {
                Some(next) if offer.score < next.score * self.nearly => heap.push(offer),
                _ => self.accept(gap, leave, takes_link),
            }
        }
    }

    /// Room that is left goes to copies that nobody hides: they begin earlier, and are over later.
    fn give_time(&mut self) {
        let is_waiting = |leave: &Leave| leave.back.before == leave.back.until;
        let mut order: Vec<usize> = (0..self.leaves.len())
            .filter(|gap| self.leaves[*gap].is_some())
            .collect();
        order.sort_by_key(|gap| self.profile.gaps[*gap].steps.end);
        for gap in order.iter().copied() {
            let Some(mut leave) = self.leaves[gap].filter(is_waiting) else {
                continue;
            };
            let own = self.profile.gaps[gap];
            let size = self.profile.sizes[own.tensor];
            let first = leave.absent(own.steps.start).start;
            let end = own.steps.end;
            let lead = self.wishes.lead(own.tensor, end);
            let cycles = own.cycles[1].saturating_mul(COVER);
            let cycles = cycles.saturating_add_signed(lead);
            let mut step = end;
            let mut best = end;
            while step > first && self.times[end] - self.times[best] < cycles {
                step -= 1;
                if self.used[step].saturating_add(size) > self.room[step] {
                    break;
                }
                if self.can_begin(own.tensor, step, end) {
                    best = step;
                }
            }
            for step in best..end {
                self.used[step] += size;
            }
            leave.back.before = best;
            leave.back.start = self.times[best];
            self.leaves[gap] = Some(leave);
        }
        order.sort_by_key(|gap| self.profile.gaps[*gap].steps.start);
        for gap in order {
            let Some(mut leave) = self.leaves[gap] else {
                continue;
            };
            let Some(mut out) = leave.out.filter(|out| out.until == out.before) else {
                continue;
            };
            let own = self.profile.gaps[gap];
            let size = self.profile.sizes[own.tensor];
            let cycles = own.cycles[0];
            let start = out.before;
            let mut until = start;
            let mut step = start;
            while step < leave.back.before
                && self.times[until] - self.times[start] < cycles.saturating_mul(COVER)
                && self.used[step].saturating_add(size) <= self.room[step]
            {
                step += 1;
                if self.problem.shares_block(own.tensor, start, step) {
                    until = step;
                }
            }
            for step in start..until {
                self.used[step] += size;
            }
            out.until = until;
            leave.out = Some(out);
            self.leaves[gap] = Some(leave);
        }
    }

    /// Whether a copy that is over in front of a step can be asked for in front of another.
    fn can_begin(&self, tensor: usize, step: usize, until: usize) -> bool {
        self.problem.tensors[tensor].can_move_before(step)
            && self.problem.shares_block(tensor, step, until)
            && repeats_before(self.problem, tensor, step)
                == repeats_before(self.problem, tensor, until)
    }
}

/// Bytes that are too much, rounded.
fn excess(used: u64, capacity: u64) -> f32 {
    used.saturating_sub(capacity) as f32
}

/// The sum over steps of what is too much, no more of each than so many bytes.
fn relief(over: &[f32], size: u64) -> f32 {
    const LANES: usize = 8;
    let size = size as f32;
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

/// How often a copy is hidden by what runs beside it, if there is room.
const COVER: u64 = 2;
