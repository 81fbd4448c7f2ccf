//! Runs a strategy by name on a problem without aliases and reuses.

use mem_model::{Bytes, Problem};

use super::decode::Decoder;
use super::limits::{Clock, Limits};
use super::measure::peak_of;
use super::{
    PlanError, PlanOptions, Strategy, bound, exact, first_fit, genetic, greedy_by_conflict,
    greedy_by_size, lifetime_queue, orders, penalty, tightest_first, tuning,
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

/// Places the items of `problem` with the strategy `asked`.
pub(crate) fn search(
    problem: &Problem,
    alignments: &[Bytes],
    pressure: Bytes,
    asked: Strategy,
    options: &PlanOptions,
    limits: &mut Limits<'_>,
) -> Result<Outcome, PlanError> {
    let decoder = Decoder::new(problem, alignments);
    decoder.check_fixed()?;
    let bound = bound::proven(problem, alignments, pressure);
    let searches = matches!(asked, Strategy::Auto | Strategy::Exact | Strategy::Genetic);
    let mut outcome = match searches {
        true => best(&decoder, alignments, bound, limits)?,
        false => simple(
            asked,
            &decoder,
            alignments,
            bound,
            u64::MAX,
            Clock::default(),
        )?
        .expect("no clock"),
    };
    limits.report(outcome.strategy, outcome.peak.get(), bound.get());
    let start = match asked {
        Strategy::Auto | Strategy::Genetic => outcome.offsets.clone(),
        _ => Vec::new(),
    };
    if matches!(asked, Strategy::Auto | Strategy::Exact) {
        let found = exact::improve(problem, alignments, bound, &outcome.offsets, limits);
        outcome.bound = found.bound;
        outcome.improve(problem, Strategy::Exact, found.offsets);
    }
    let is_open = outcome.peak > outcome.bound && outcome.peak.get() > limits.enough();
    if matches!(asked, Strategy::Auto | Strategy::Genetic) && is_open {
        limits.renew();
        let orders = [
            greedy_by_size::order,
            greedy_by_conflict::order,
            first_fit::order,
        ];
        let mut orders = orders.map(|order| order(&decoder)).to_vec();
        orders.extend(orders::by_pressure(&decoder));
        // Start from the simple strategies' plan rather than from `exact`'s, so that `auto` finds
        // what `genetic` alone would find.
        let found = genetic::improve(&decoder, orders, &start, bound, options, limits)?;
        let before = outcome.peak;
        outcome.improve(problem, Strategy::Genetic, found);
        if asked == Strategy::Auto && outcome.peak < before {
            // From a lower peak, the search may find a proof or a still lower peak.
            limits.renew();
            let found = exact::improve(problem, alignments, bound, &outcome.offsets, limits);
            outcome.bound = outcome.bound.max(found.bound);
            outcome.improve(problem, Strategy::Exact, found.offsets);
        }
    }
    if searches && !problem.penalties.is_empty() {
        limits.renew();
        if let Some(offsets) = penalty::reduce(problem, alignments, &outcome.offsets, limits)? {
            outcome.offsets = offsets;
            outcome.peak = peak_of(problem, &outcome.offsets);
        }
    }
    Ok(outcome)
}

/// Returns the offsets of the best simple strategy, or of the exact search if its effort suffices.
pub(crate) fn cheap_then_exact(
    problem: &Problem,
    alignments: &[Bytes],
    limits: &mut Limits<'_>,
) -> Result<Vec<Bytes>, PlanError> {
    let decoder = Decoder::new(problem, alignments);
    decoder.check_fixed()?;
    let bound = Bytes::new(limits.enough());
    let cheap = best(&decoder, alignments, bound, limits)?;
    let found = exact::improve(problem, alignments, Bytes::ZERO, &cheap.offsets, limits);
    Ok(found.offsets.unwrap_or(cheap.offsets))
}

impl Outcome {
    fn improve(&mut self, problem: &Problem, strategy: Strategy, offsets: Option<Vec<Bytes>>) {
        let Some(offsets) = offsets else { return };
        let peak = peak_of(problem, &offsets);
        if peak < self.peak {
            (self.strategy, self.offsets, self.peak) = (strategy, offsets, peak);
        }
    }
}

/// Runs the simple strategies and returns the result with the lowest peak, the first one on a tie.
/// Stops once the bound is met or the time or the work is used up.
fn best(
    decoder: &Decoder<'_>,
    alignments: &[Bytes],
    bound: Bytes,
    limits: &mut Limits<'_>,
) -> Result<Outcome, PlanError> {
    let mut best: Option<Outcome> = None;
    let order_work = decoder.work();
    let mut work = 0_u64;
    for strategy in SIMPLE {
        // The queue examines no pairs.
        work = work.saturating_add(match strategy {
            Strategy::LifetimeQueue => 0,
            _ => order_work,
        });
        let most = match strategy {
            Strategy::LifetimeQueue | Strategy::GreedyBySize => tuning::MAX_PAIRS,
            _ => tuning::MAX_PAIRS.min(limits.effort().saturating_mul(tuning::PAIRS_PER_EFFORT)),
        };
        if work > most {
            break;
        }
        if best.as_ref().is_some_and(|best| best.peak <= bound) {
            break;
        }
        // The first strategy runs without a clock: there must be a plan.
        let clock = match best {
            Some(_) => limits.clock(),
            None => Clock::default(),
        };
        let rounds = (most - work).checked_div(order_work).unwrap_or(0);
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
    let outcome = |offsets: Vec<Bytes>| Outcome {
        strategy,
        peak: peak_of(problem, &offsets),
        offsets,
        bound,
    };
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
