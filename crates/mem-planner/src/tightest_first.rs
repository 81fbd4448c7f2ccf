//! `tightest-first`: what is live at the point with the most bytes first, the largest of it before others; then
//! everything else by size. What is in the first group leaves no hole there, whatever its order. Items that end above
//! the bound come earlier next time, right behind the first group, and all are placed anew, until nothing is above
//! the bound or that does not get better: squeaky wheel optimization (Joslin and Clements, 1999).
//!
//! Training graphs have one such point, between the two passes, and most of their plans come out at the
//! bound. At most [`ROUNDS`] times the work of one greedy order.

use std::cmp::Reverse;

use mem_model::Bytes;

use crate::decode::Decoder;
use crate::limits::Clock;
use crate::orders::Profile;
use crate::{PlanError, end_of, excess_of, peak_of};

/// Most rounds.
const ROUNDS: u64 = 24;

/// Rounds without a better plan.
const PATIENCE: usize = 6;

/// An offset for each item, after no more than `rounds` besides the first; `None` if time was over before the first round was.
pub(crate) fn offsets(
    decoder: &Decoder<'_>,
    bound: Bytes,
    rounds: u64,
    clock: Clock<'_>,
) -> Result<Option<Vec<Bytes>>, PlanError> {
    let problem = decoder.problem();
    let items = &problem.items;
    let tightest = Profile::new(decoder).tightest();
    let is_there = |item: u32| tightest.is_some_and(|point| decoder.hull(item).contains(point));
    // By item: how often it ended above the bound.
    let mut failures = vec![0_u32; items.len()];
    let mut best: Option<((Bytes, u128), Vec<Bytes>)> = None;
    let mut n_futile = 0;
    for _ in 0..ROUNDS.min(rounds.saturating_add(1)) {
        let mut order: Vec<u32> = decoder.free_items().collect();
        order.sort_by_cached_key(|&item| {
            let index = item as usize;
            let rank = (!is_there(item), Reverse(failures[index]));
            (
                rank,
                Reverse(items[index].size),
                decoder.hull(item).start,
                item,
            )
        });
        let Some(decoded) = decoder.decode(&order, clock)? else {
            break;
        };
        let offsets = decoded.offsets;
        let key = (
            peak_of(problem, &offsets),
            excess_of(problem, &offsets, bound),
        );
        for (index, item) in items.iter().enumerate() {
            failures[index] += u32::from(end_of(item, offsets[index]) > bound);
        }
        let is_better = best.as_ref().is_none_or(|(best, _)| key < *best);
        n_futile = if is_better { 0 } else { n_futile + 1 };
        if is_better {
            best = Some((key, offsets));
        }
        if n_futile == PATIENCE || best.as_ref().is_some_and(|((peak, _), _)| *peak <= bound) {
            break;
        }
    }
    Ok(best.map(|(_, offsets)| offsets))
}
