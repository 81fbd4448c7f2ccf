//! Converts the choices of a walk to residences, without addresses, and the copies between them.
//!
//! A walk decides in which levels a tensor is used at each stop and in which it is kept after it. A
//! residence is a maximal stay in one level. Copies happen in gaps: on the way to a stop
//! (`entry`), or after it (`exit`).

use mem_model::Interval;

use super::residence::{Copying, Settled};
use super::space_time::Residence;
use super::walk::{Choice, Set, Stop, Walk, levels_of, only};

/// Residences under construction.
struct Stay<'a, 'w> {
    walk: &'a Walk<'w>,
    settled: Settled,
    residences: Vec<Residence>,
    /// Per level: the open residence, as an index; `None` also for the home, which always exists.
    open: Vec<Option<usize>>,
}

/// The decisions for a tensor, and its residences. `choices` has one entry per stop of the walk.
pub(super) fn realize(walk: &Walk<'_>, choices: &[Choice], cost: f64) -> (Settled, Vec<Residence>) {
    let mut stay = Stay {
        walk,
        settled: Settled {
            cost,
            ..Settled::default()
        },
        residences: Vec::new(),
        open: vec![None; walk.problem.hierarchy.levels.len()],
    };
    let mut set: Set = walk.start();
    for (stop, choice) in walk.stops.iter().zip(choices) {
        let after = Walk::after(stop, set, choice.used);
        // In this order: copies to a stop read residences that `vacate` ends, and copies from it
        // read those that `exit` ends.
        stay.enter(stop, choice.used & !set, set);
        stay.access(stop, choice.used);
        stay.vacate(stop, choice, set);
        stay.exit(stop, choice, after);
        set = choice.kept;
    }
    // Results are at home in the end, and nothing else is needed.
    debug_assert!(choices.is_empty() || levels_of(set).all(|level| walk.is_home(level)));
    stay.finish()
}

impl Stay<'_, '_> {
    /// Opens a residence, unless the level is the home.
    fn begin(&mut self, level: usize, step: usize) -> Option<usize> {
        if self.walk.is_home(level) {
            return None;
        }
        // The interval is empty until `vacate` or `exit` sets its end.
        self.open[level] = Some(self.residences.len());
        self.residences.push(Residence {
            tensor: self.walk.tensor,
            level,
            offset: 0,
            steps: Interval::new(step, step),
        });
        self.open[level]
    }

    /// Opens residences in the levels of a stop that do not hold the tensor yet.
    fn enter(&mut self, stop: &Stop<'_>, new: Set, set: Set) {
        for level in levels_of(new) {
            let source = self.walk.fetch(set, level).filter(|_| stop.needs);
            match (source, stop.entry) {
                (Some((from, _)), Some((gap, _))) => {
                    let to = self.begin(level, gap);
                    let from = self.open[from];
                    self.settled.copies.push(Copying { gap, from, to });
                }
                // The contents are not needed, so there is nothing to copy.
                _ => {
                    self.begin(level, stop.steps.start);
                }
            }
        }
    }

    /// Records the residences that the uses of a stop access.
    fn access(&mut self, stop: &Stop<'_>, used: Set) {
        for (step, own) in &stop.uses {
            let taken = self.walk.taken(used, *step, own);
            // The walk rules out sets without a level that the use accepts, so there is always one.
            let level = taken.map_or(0, |(level, _)| level);
            self.settled.accessed.push((*step, self.open[level]));
        }
    }

    /// Ends residences that only served as a source for the copies to a stop: they end before it,
    /// while those in use end with it.
    fn vacate(&mut self, stop: &Stop<'_>, choice: &Choice, set: Set) {
        let gap = stop.entry.map_or(stop.steps.start, |(gap, _)| gap);
        for level in levels_of(set & !choice.used) {
            // A write makes the copies in all other levels stale.
            let is_over = stop.writes || choice.kept & only(level) == 0;
            if is_over && let Some(number) = self.open[level].take() {
                self.residences[number].steps.end = gap;
            }
        }
    }

    /// Copies the tensor to the levels that keep it after a stop, and ends the other residences.
    fn exit(&mut self, stop: &Stop<'_>, choice: &Choice, after: Set) {
        // Without a gap there is no copy, since the walk charges infinity for one.
        let (gap, _) = stop.exit.unwrap_or((stop.steps.end, 1));
        let mut last = stop.steps.end;
        for level in levels_of(choice.kept & !after) {
            let sources = self.walk.sources(after, choice.used, choice.kept);
            if let Some((from, _)) = self.walk.fetch(sources, level) {
                let from = self.open[from];
                let to = self.begin(level, gap);
                self.settled.copies.push(Copying { gap, from, to });
                // All residences of the stop stay until the copies out of them have been made.
                last = last.max(gap);
            }
        }
        for level in levels_of(after & !choice.kept) {
            if let Some(number) = self.open[level].take() {
                self.residences[number].steps.end = last;
            }
        }
    }

    fn finish(mut self) -> (Settled, Vec<Residence>) {
        let n_steps = self.walk.problem.steps.len();
        // A slower source of an upward copy stays for one more step, so that copies in the same gap
        // can be ordered: others may move down into the bytes that this one leaves.
        for copy in &self.settled.copies {
            if let (Some(from), Some(to)) = (copy.from, copy.to)
                && self.residences[from].level > self.residences[to].level
            {
                let steps = &mut self.residences[from].steps;
                steps.end = steps.end.max(copy.gap + 1).min(n_steps);
            }
        }
        // A residence that is only copied on still occupies its bytes while those copies run.
        for residence in &mut self.residences {
            let steps = &mut residence.steps;
            steps.end = steps.end.max(steps.start + 1).min(n_steps + 1);
        }
        (self.settled, self.residences)
    }
}
