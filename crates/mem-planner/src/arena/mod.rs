//! Addresses in one memory level. The planner takes a [`Problem`], that is items with sizes and
//! lifetimes, and returns a [`Plan`]; it knows nothing about programs.
//!
//! The phases of [`plan`]:
//!
//! 1. [`prepare`] normalizes conflicts and alignments; [`bound`] computes the memory pressure.
//! 2. [`contract`] joins aliases, and operands with results that may reuse their bytes, so that the
//!    strategies see neither.
//! 3. [`search`] runs the requested strategy, or several of them. One strategy a file: those that
//!    place items in one pass are [`lifetime_queue`], [`first_fit`], [`greedy_by_size`],
//!    [`greedy_by_conflict`] and [`tightest_first`]; those that search are [`exact`] and
//!    [`genetic`]. [`penalty`] then trades equal peaks for fewer penalties.
//! 4. For `auto`, [`refit`](mod@refit) lowers the peak further by moving a few items. It works on
//!    the original items, so that it can give up single reuses.
//! 5. [`answer`] builds the plan, or the memory map of the failure.
//!
//! Most strategies are orders of the items; [`decode`] converts an order to offsets. [`relative`]
//! plans for sizes that are known only at run time, on top of [`plan`].
//!
//! # Guarantees
//!
//! Every strategy honours alignments, gives conflicting bytes different addresses, leaves fixed
//! items in place, avoids reserved addresses, and is deterministic. The peak is the highest end of
//! any item, even of one that is never live: code may form the address of a buffer that it never
//! touches. `docs/PlannerArena.md` describes the design, and [`tuning`] has the limits.

mod answer;
mod bound;
mod contract;
mod decode;
mod distance;
mod error;
mod exact;
mod first_fit;
mod free_list;
mod genetic;
mod greedy_by_conflict;
mod greedy_by_size;
mod lifetime_queue;
mod limits;
mod measure;
mod options;
mod orders;
mod penalty;
mod placed;
mod prepare;
mod refit;
mod relative;
mod repack;
mod search;
mod strategy;
mod threads;
mod tightest_first;
mod tuning;

pub use bound::{Pressure, lower_bound, pressure};
pub use error::{Misplaced, NoFit, Occupant, PlanError};
pub use options::{PlanOptions, Progress, Watch};
pub use refit::refit;
pub use relative::{SizedPlan, plan_sizes};
pub use strategy::Strategy;

use mem_model::{Bytes, Plan, Problem};

use contract::Contracted;
use limits::Limits;
use search::Outcome;

/// Chooses an address for every item of `problem`. The plan names the strategy that found it; for
/// `auto` that is the winning strategy. The plan also carries the best proven lower bound on the
/// peak.
///
/// # Errors
/// If the items do not fit the capacity, with the memory map at the critical point; if sizes add up
/// to more than [`MAX_BYTES`](crate::MAX_BYTES); if an alignment is not a power of two; if a fixed
/// item cannot be at its offset.
pub fn plan(
    problem: &Problem,
    strategy: Strategy,
    options: &PlanOptions,
) -> Result<Plan, PlanError> {
    plan_watched(problem, strategy, options, Watch::default())
}

/// Like [`plan`], with an observer that can stop the search early. A stopped search returns the
/// best plan so far.
///
/// # Errors
/// Same as [`plan`].
pub fn plan_watched(
    problem: &Problem,
    asked: Strategy,
    options: &PlanOptions,
    watch: Watch<'_>,
) -> Result<Plan, PlanError> {
    let problem = &prepare::with_plain_conflicts(problem);
    let alignments = prepare::alignments(problem, options)?;
    let pressure = bound::pressure(problem).ok_or(PlanError::Overflow)?;
    let mut limits = Limits::new(options, watch);
    let outcome = Attempts {
        problem,
        alignments: &alignments,
        pressure: pressure.bytes,
        asked,
        options,
    }
    .run(&mut limits)?;
    answer::finish(problem, &alignments, outcome, &pressure, &mut limits)
}

/// The attempts at one problem: with results in the place of operands, and without.
struct Attempts<'a> {
    problem: &'a Problem,
    alignments: &'a [Bytes],
    pressure: Bytes,
    asked: Strategy,
    options: &'a PlanOptions,
}

impl Attempts<'_> {
    /// The better of maximal reuse and no reuse.
    fn run(&self, limits: &mut Limits<'_>) -> Result<Outcome, PlanError> {
        let problem = self.problem;
        let (mut outcome, mut other) = self.with_and_without_reuse(limits)?;
        let is_contracted_in_conflict =
            !problem.aliases.is_empty() && !problem.conflicts.is_empty();
        if !problem.reuses.is_empty() || is_contracted_in_conflict {
            // The bound of the search only holds for one choice of reuses. Contraction also extends
            // a conflict of one alias to its whole group, which the problem does not require.
            outcome.bound = self.pressure;
        }
        // Moved items may incur other penalties.
        if self.asked == Strategy::Auto && problem.penalties.is_empty() {
            let goal = outcome.bound.max(Bytes::new(limits.enough()));
            self.refit(&mut outcome, goal, limits);
            // The worse of two starts may lead to the lower peak.
            if let Some(other) = other.as_mut().filter(|_| outcome.peak > goal) {
                self.refit(other, goal, limits);
                if other.peak < outcome.peak {
                    let bound = outcome.bound;
                    std::mem::swap(&mut outcome, other);
                    outcome.bound = bound;
                }
            }
        }
        Ok(outcome)
    }

    /// Returns the outcome with the lower peak, and the other one if there are two.
    fn with_and_without_reuse(
        &self,
        limits: &mut Limits<'_>,
    ) -> Result<(Outcome, Option<Outcome>), PlanError> {
        match self.attempt(true, limits) {
            // Reuse only loses where a joined item lives so long that it no longer packs well, and
            // never if its plan meets the pressure.
            Ok((joined, n_reuses)) if n_reuses > 0 && joined.peak > self.pressure => {
                Ok(match self.attempt(false, limits) {
                    Ok((apart, _)) if apart.peak < joined.peak => (apart, Some(joined)),
                    Ok((apart, _)) => (joined, Some(apart)),
                    Err(_) => (joined, None),
                })
            }
            // Fixed items may rule out one of the two.
            Err(_) if !self.problem.reuses.is_empty() => Ok((self.attempt(false, limits)?.0, None)),
            other => Ok((other?.0, None)),
        }
    }

    /// Lowers the peak towards `goal` by moving a few items. Unlike the searches before, this may
    /// use some of the possible reuses and not others.
    fn refit(&self, outcome: &mut Outcome, goal: Bytes, limits: &mut Limits<'_>) {
        let (problem, offsets) = (self.problem, &outcome.offsets);
        if let Some(offsets) = refit::lower(problem, self.alignments, offsets, goal, limits) {
            outcome.peak = measure::peak_of(problem, &offsets);
            outcome.offsets = offsets;
            limits.report(outcome.strategy, outcome.peak.get(), outcome.bound.get());
        }
    }

    /// Plans the contracted problem. Returns the outcome for the original items, and the number of
    /// results that reuse an operand's bytes.
    fn attempt(
        &self,
        with_reuse: bool,
        limits: &mut Limits<'_>,
    ) -> Result<(Outcome, usize), PlanError> {
        let contracted = Contracted::new(self.problem, self.alignments, with_reuse)?;
        // Each attempt has the full effort, so that the second is not a worse search than the first.
        limits.renew();
        let start = self.options.start.as_ref();
        let start = start.and_then(|start| contracted.contract(start));
        let mut outcome = search::search(
            &contracted.problem,
            &contracted.alignments,
            self.pressure,
            (self.asked, start),
            self.options,
            limits,
        )?;
        outcome.offsets = contracted.expand(outcome.offsets);
        Ok((outcome, contracted.n_reuses))
    }
}
