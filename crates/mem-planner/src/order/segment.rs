//! The order of the units of one segment: exact if it can be found with the effort that is left, the
//! best one of several beam searches otherwise, forwards and backwards in time.

use crate::observe;

use super::task::Task;
use super::{beam, exact, tuning};

/// Effort of exact searches that is left.
pub(super) struct Effort(pub(super) u64);

impl Default for Effort {
    fn default() -> Self {
        Self(tuning::ALL_EXACT_EFFORT)
    }
}

/// An order of a segment.
pub(super) struct Ordered {
    pub(super) order: Vec<u32>,
    pub(super) peak: u64,
    /// Lower bound on the peak of all orders, if it is above the goal.
    pub(super) bound: Option<u64>,
}

/// Searches for an order of least peak, or with a peak of at most `goal`. `own` is a known order.
pub(super) fn order_segment(task: &Task, own: Vec<u32>, goal: u64, effort: &mut Effort) -> Ordered {
    let mut search = Search {
        task,
        reversed: task.reversed(),
        peak: task.peak(&own),
        order: own,
        goal,
        // Every order begins with these bytes.
        bound: goal.max(task.bytes_at_start()),
    };
    let is_long = task.units.len() > tuning::LONG;
    let first = match is_long {
        true => tuning::FIRST_LONG_EFFORT,
        false => tuning::BEAM_EFFORT / 8,
    };
    // The exact search visits no state that takes more than the best known order.
    let own_peak = search.peak;
    search.beams(first, 1);
    // Long programs whose order hardly matters are common: training, for one. The searches below take
    // longer than planning addresses.
    if !is_long || own_peak - search.peak >= own_peak / tuning::LEAST_SAVING {
        for backwards in [false, true] {
            search.exact(backwards, effort);
        }
        search.beams(tuning::BEAM_EFFORT, tuning::MAX_ROUNDS);
    }
    Ordered {
        bound: (search.bound > goal).then_some(search.bound),
        order: search.order,
        peak: search.peak,
    }
}

struct Search<'a> {
    task: &'a Task,
    reversed: Task,
    order: Vec<u32>,
    peak: u64,
    goal: u64,
    bound: u64,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        self.peak <= self.bound || observe::is_stopped()
    }

    fn take(&mut self, order: Option<Vec<u32>>, backwards: bool) -> bool {
        let Some(mut order) = order else {
            return false;
        };
        if backwards {
            let last = order.len() as u32 - 1;
            order.reverse();
            order.iter_mut().for_each(|unit| *unit = last - *unit);
        }
        let peak = self.task.peak(&order);
        let is_better = peak < self.peak;
        if is_better {
            (self.order, self.peak) = (order, peak);
        }
        is_better
    }

    const fn task(&self, backwards: bool) -> &Task {
        if backwards { &self.reversed } else { self.task }
    }

    fn exact(&mut self, backwards: bool, effort: &mut Effort) {
        if self.is_done() {
            return;
        }
        let own = effort.0.min(tuning::EXACT_EFFORT / 2);
        let found = exact::search(self.task(backwards), self.bound, self.peak, own);
        effort.0 = effort.0.saturating_sub(found.effort);
        self.bound = self.bound.max(found.bound);
        let is_found = found.order.is_some();
        self.take(found.order, backwards);
        log::debug!(
            target: "order",
            "{} units: exact search, backwards: {backwards}, found: {is_found}, peak {}, bound {}, \
             effort {}", self.task.units.len(), self.peak, self.bound, found.effort,
        );
    }

    /// Beam searches with rising ambition: first any order that is better, then among states below
    /// the best peak those with fewest bytes in memory.
    fn beams(&mut self, effort: u64, rounds: usize) {
        for backwards in [false, true] {
            for round in 0..rounds {
                if self.is_done() {
                    return;
                }
                let floor = match round % 2 {
                    0 => self.bound,
                    _ => self.peak - 1,
                };
                let found = beam::search(self.task(backwards), floor, self.peak, effort);
                let is_better = self.take(found, backwards);
                log::debug!(
                    target: "order",
                    "{} units: beam search, backwards: {backwards}, peak {}, goal {}",
                    self.task.units.len(), self.peak, self.goal,
                );
                if !is_better && round > 0 {
                    break;
                }
            }
        }
    }
}
