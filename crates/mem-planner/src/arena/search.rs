//! Runs a strategy by name on a problem without aliases and reuses.

use std::ops::Range;

use mem_model::{Bytes, Problem};

use super::decode::Decoder;
use super::limits::{Clock, Limits};
use super::measure::peak_of;
use super::{
    PlanError, PlanOptions, Strategy, bound, exact, first_fit, genetic, greedy_by_conflict,
    greedy_by_size, lifetime_queue, orders, penalty, placed, repack, tightest_first, tuning,
};

/// Result of a search.
pub(crate) struct Outcome {
    /// The strategy that found the offsets.
    pub strategy: Strategy,
    pub offsets: Vec<Bytes>,
    pub peak: Bytes,
    /// Proven lower bound on the peak.
    pub bound: Bytes,
}

/// Strategies without search, fastest first.
const SIMPLE: [Strategy; 5] = [
    Strategy::LifetimeQueue,
    Strategy::GreedyBySize,
    Strategy::TightestFirst,
    Strategy::GreedyByConflict,
    Strategy::FirstFit,
];

/// Some of the simple strategies.
struct Stage {
    /// Indices in [`SIMPLE`].
    strategies: Range<usize>,
    /// Maximum number of orders after the first, for a strategy that tries several.
    most_rounds: u64,
}

/// All simple strategies.
const ALL: Stage = Stage {
    strategies: 0..SIMPLE.len(),
    most_rounds: u64::MAX,
};

/// Those that run before windows of a large problem are searched, as they are fast and often meet the bound.
const FIRST: Stage = Stage {
    strategies: 0..3,
    most_rounds: 3,
};

/// Those that run after that.
const REST: Stage = Stage {
    strategies: 2..SIMPLE.len(),
    most_rounds: u64::MAX,
};

/// Places the items of `problem` with the strategy `asked`. `start`: the offsets of a plan to continue
/// from.
pub(super) fn search(
    problem: &Problem,
    alignments: &[Bytes],
    pressure: Bytes,
    (asked, start): (Strategy, Option<Vec<Bytes>>),
    options: &PlanOptions,
    limits: &mut Limits<'_>,
) -> Result<Outcome, PlanError> {
    let decoder = Decoder::new(problem, alignments);
    // Strategies place fixed items blindly, so that a clash has to be found first.
    decoder.check_fixed()?;
    let bound = bound::proven(problem, alignments, pressure);
    let run = Run {
        decoder: &decoder,
        alignments,
        bound,
        options,
    };
    let start = start.filter(|start| decoder.admits(start));
    let is_simple = SIMPLE.contains(&asked);
    let mut outcome = match is_simple {
        true => run.only(asked, limits)?,
        false => run.simple(asked, start.as_deref(), limits)?,
    };
    // The plan names the strategy that was asked for if none finds a better plan than the given one.
    outcome.improve(problem, asked, start);
    if is_simple {
        return Ok(outcome);
    }
    limits.report(outcome.strategy, outcome.peak.get(), bound.get());
    // The genetic search starts from here, whatever the exact search finds.
    let start = outcome.offsets.clone();
    if asked != Strategy::Genetic {
        run.exact(&mut outcome, limits);
    }
    if asked != Strategy::Exact {
        run.genetic(&mut outcome, &start, asked, limits)?;
    }
    run.penalties(&mut outcome, limits)?;
    Ok(outcome)
}

/// The searches that improve an outcome, one after the other.
struct Run<'a> {
    decoder: &'a Decoder<'a>,
    alignments: &'a [Bytes],
    /// Lower bound on the peak, proven without search.
    bound: Bytes,
    options: &'a PlanOptions,
}

impl Run<'_> {
    /// The best of the strategies without search. If the problem is too large to search it as a whole, searches of
    /// windows come after the first few: they find more in less time than the others.
    fn simple(
        &self,
        asked: Strategy,
        start: Option<&[Bytes]>,
        limits: &mut Limits<'_>,
    ) -> Result<Outcome, PlanError> {
        let best = |some, limits: &mut Limits<'_>| {
            best(self.decoder, self.alignments, self.bound, some, limits)
        };
        if asked == Strategy::Genetic || !exact::is_too_large(self.decoder.problem()) {
            return best((ALL, None), limits);
        }
        let mut first = best((FIRST, None), limits)?;
        self.repack(&mut first, start, limits)?;
        best((REST, Some(first)), limits)
    }

    /// A strategy without search, and without a clock: it always has a result.
    fn only(&self, asked: Strategy, limits: &mut Limits<'_>) -> Result<Outcome, PlanError> {
        let clock = Clock::default();
        let outcome = simple(
            asked,
            self.decoder,
            self.alignments,
            self.bound,
            u64::MAX,
            clock,
        )?
        .expect("no clock");
        limits.report(outcome.strategy, outcome.peak.get(), self.bound.get());
        Ok(outcome)
    }

    /// Lowers the peak by the exact search, or raises the bound, or both.
    fn exact(&self, outcome: &mut Outcome, limits: &mut Limits<'_>) {
        let problem = self.decoder.problem();
        let offsets = &outcome.offsets;
        let found = exact::improve(
            problem,
            self.alignments,
            self.bound,
            offsets,
            self.options.threads,
            limits,
        );
        // A search that started from another plan may have proven more.
        outcome.bound = outcome.bound.max(found.bound);
        outcome.improve(problem, Strategy::Exact, found.offsets);
    }

    /// Lowers the peak to the bound by searches of windows.
    fn repack(
        &self,
        outcome: &mut Outcome,
        start: Option<&[Bytes]>,
        limits: &mut Limits<'_>,
    ) -> Result<(), PlanError> {
        let goal = self.bound.max(Bytes::new(limits.enough()));
        if outcome.peak <= goal || limits.is_over() {
            return Ok(());
        }
        let n_rounds = affordable(Strategy::Exact, self.decoder, limits)
            .checked_div(self.decoder.work())
            .unwrap_or(0);
        let found = repack::search(
            self.decoder,
            self.alignments,
            (goal, start),
            (self.options.threads, n_rounds),
            limits,
        )?;
        outcome.improve(self.decoder.problem(), Strategy::Exact, found);
        Ok(())
    }

    /// Lowers the peak by the genetic search, unless the plan is optimal or good enough.
    fn genetic(
        &self,
        outcome: &mut Outcome,
        start: &[Bytes],
        asked: Strategy,
        limits: &mut Limits<'_>,
    ) -> Result<(), PlanError> {
        if outcome.peak <= outcome.bound || outcome.peak.get() <= limits.enough() {
            return Ok(());
        }
        // The exact search may have spent the effort, which is granted to each search separately.
        limits.renew();
        let orders = [
            greedy_by_size::order,
            greedy_by_conflict::order,
            first_fit::order,
        ];
        let mut orders = orders.map(|order| order(self.decoder)).to_vec();
        orders.extend(orders::by_pressure(self.decoder));
        // Start from the simple strategies' plan rather than from `exact`'s, so that `auto` finds
        // what `genetic` alone would find.
        let found = genetic::improve(
            self.decoder,
            orders,
            start,
            self.bound,
            self.options,
            limits,
        )?;
        let before = outcome.peak;
        outcome.improve(self.decoder.problem(), Strategy::Genetic, found);
        if asked == Strategy::Auto && outcome.peak < before {
            // From a lower peak, the search may find a proof or a still lower peak.
            limits.renew();
            self.exact(outcome, limits);
        }
        Ok(())
    }

    /// Replaces the offsets by others with the same or a lower peak and fewer penalties.
    fn penalties(&self, outcome: &mut Outcome, limits: &mut Limits<'_>) -> Result<(), PlanError> {
        let problem = self.decoder.problem();
        if problem.penalties.is_empty() {
            return Ok(());
        }
        limits.renew();
        if let Some(offsets) = penalty::reduce(problem, self.alignments, &outcome.offsets, limits)?
        {
            outcome.offsets = offsets;
            outcome.peak = peak_of(problem, &outcome.offsets);
        }
        Ok(())
    }
}

/// Returns the offsets of the best simple strategy, or of the exact search if its effort suffices.
pub(crate) fn cheap_then_exact(
    problem: &Problem,
    alignments: &[Bytes],
    limits: &mut Limits<'_>,
) -> Result<Vec<Bytes>, PlanError> {
    let decoder = Decoder::new(problem, alignments);
    decoder.check_fixed()?;
    // Any plan within `enough` will do, so the simple strategies stop there.
    let bound = Bytes::new(limits.enough());
    let cheap = best(&decoder, alignments, bound, (ALL, None), limits)?;
    let found = exact::improve(problem, alignments, Bytes::ZERO, &cheap.offsets, 1, limits);
    Ok(found.offsets.unwrap_or(cheap.offsets))
}

impl Outcome {
    fn new(strategy: Strategy, problem: &Problem, offsets: Vec<Bytes>, bound: Bytes) -> Self {
        Self {
            strategy,
            peak: peak_of(problem, &offsets),
            offsets,
            bound,
        }
    }

    /// Takes other offsets if their peak is lower.
    fn improve(&mut self, problem: &Problem, strategy: Strategy, offsets: Option<Vec<Bytes>>) {
        let Some(offsets) = offsets else { return };
        let peak = peak_of(problem, &offsets);
        if peak < self.peak {
            (self.strategy, self.offsets, self.peak) = (strategy, offsets, peak);
        }
    }
}

/// Runs some of the simple strategies and returns the result with the lowest peak, the first one on a tie.
/// Stops once the bound is met or the time or the work is used up. `best`: the result of those before, if any ran.
fn best(
    decoder: &Decoder<'_>,
    alignments: &[Bytes],
    bound: Bytes,
    (stage, mut best): (Stage, Option<Outcome>),
    limits: &mut Limits<'_>,
) -> Result<Outcome, PlanError> {
    let order_work = decoder.work();
    for index in stage.strategies {
        let strategy = SIMPLE[index];
        // All but the queue, which is the first, examine pairs.
        let work = order_work.saturating_mul(index as u64);
        let most = affordable(strategy, decoder, limits);
        let is_good = best.as_ref().is_some_and(|best| best.peak <= bound);
        if work > most || is_good {
            break;
        }
        // The first strategy runs without a clock: there must be a plan.
        let clock = match best {
            Some(_) => limits.clock(),
            None => Clock::default(),
        };
        let rounds = (most - work).checked_div(order_work).unwrap_or(0);
        let rounds = rounds.min(stage.most_rounds);
        let Some(other) = simple(strategy, decoder, alignments, bound, rounds, clock)? else {
            break;
        };
        limits.report(strategy, other.peak.get(), bound.get());
        if best.as_ref().is_none_or(|best| other.peak < best.peak) {
            best = Some(other);
        }
    }
    Ok(best.expect("the first has no clock"))
}

/// Pairs of items that all strategies up to this one may examine. The first two always run unless
/// they would take minutes; the others must be cheap beside the search that follows.
fn affordable(strategy: Strategy, decoder: &Decoder<'_>, limits: &Limits<'_>) -> u64 {
    let most = match placed::is_indexed(decoder) {
        true => tuning::MAX_INDEXED_PAIRS,
        false => tuning::MAX_PAIRS,
    };
    match strategy {
        Strategy::LifetimeQueue | Strategy::GreedyBySize => most,
        _ => {
            let share = limits.effort().saturating_mul(tuning::PAIRS_PER_EFFORT);
            most.min(share)
        }
    }
}

/// Runs a strategy without search. A strategy that tries several orders tries at most `rounds` more
/// after the first. Returns `None` if the time runs out before the first result.
fn simple(
    strategy: Strategy,
    decoder: &Decoder<'_>,
    alignments: &[Bytes],
    bound: Bytes,
    rounds: u64,
    clock: Clock<'_>,
) -> Result<Option<Outcome>, PlanError> {
    let problem = decoder.problem();
    let outcome = |offsets| Outcome::new(strategy, problem, offsets, bound);
    let order = match strategy {
        Strategy::TightestFirst => {
            let offsets = tightest_first::offsets(decoder, bound, rounds, clock)?;
            return Ok(offsets.map(outcome));
        }
        Strategy::FirstFit => first_fit::order(decoder),
        Strategy::GreedyByConflict => greedy_by_conflict::order(decoder),
        Strategy::GreedyBySize => greedy_by_size::order(decoder),
        Strategy::LifetimeQueue | Strategy::Auto | Strategy::Exact | Strategy::Genetic => {
            let offsets = lifetime_queue::offsets(problem, alignments)?;
            if problem.is_plain() {
                return Ok(Some(outcome(offsets)));
            }
            // The queue only knows lifetimes: decode its order to honour the other constraints.
            decoder.by_address(&offsets)
        }
    };
    let decoded = decoder.decode(&order, clock)?;
    Ok(decoded.map(|decoded| outcome(decoded.offsets)))
}
