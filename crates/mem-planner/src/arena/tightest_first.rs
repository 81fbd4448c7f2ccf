//! `tightest-first`: items live at the point of maximum pressure first, largest first; then all
//! other items by size. The first group leaves no hole at that point except padding. The topmost
//! item needs no padding, so the item with the most padding comes last in that group. Other items
//! that end above the bound move forward within their group, and all items are placed again, until
//! no item ends above the bound or the plan stops improving: squeaky wheel optimization (Joslin and
//! Clements, 1999).
//!
//! Training graphs have one such point, between the forward and the backward pass, and most of
//! their plans meet the bound. Costs at most [`tuning::TIGHTEST_ROUNDS`] times the work of one greedy order.

use std::cmp::Reverse;

use mem_model::{Bytes, Point};

use super::decode::Decoder;
use super::limits::Clock;
use super::measure::{end_of, excess_of, peak_of};
use super::orders::Profile;
use super::{PlanError, tuning};

/// Returns an offset for each item after the first round and at most `rounds` more; `None` if the
/// time runs out during the first round.
pub(super) fn offsets(
    decoder: &Decoder<'_>,
    bound: Bytes,
    rounds: u64,
    clock: Clock<'_>,
) -> Result<Option<Vec<Bytes>>, PlanError> {
    let problem = decoder.problem();
    let tightest = Profile::new(decoder).tightest();
    // Per item: the number of rounds in which it ended above the bound.
    let mut failures = vec![0_u32; problem.items.len()];
    // The best peak, with its bytes above the bound as a tie breaker.
    let mut best: Option<((Bytes, u128), Vec<Bytes>)> = None;
    let mut n_futile = 0;
    for _ in 0..tuning::TIGHTEST_ROUNDS.min(rounds.saturating_add(1)) {
        let order = order(decoder, tightest, &failures);
        let Some(decoded) = decoder.decode(&order, clock)? else {
            break;
        };
        let offsets = decoded.offsets;
        for (index, item) in problem.items.iter().enumerate() {
            failures[index] += u32::from(end_of(item, offsets[index]) > bound);
        }
        let peak = peak_of(problem, &offsets);
        let key = (peak, excess_of(problem, &offsets, bound));
        match best.as_ref().is_none_or(|(best, _)| key < *best) {
            true => (best, n_futile) = (Some((key, offsets)), 0),
            false => n_futile += 1,
        }
        let is_optimal = best.as_ref().is_some_and(|((peak, _), _)| *peak <= bound);
        if n_futile == tuning::TIGHTEST_PATIENCE || is_optimal {
            break;
        }
    }
    Ok(best.map(|(_, offsets)| offsets))
}

/// Items live at the tightest point first, since nothing may be wasted there. Within both groups,
/// items that failed more often come first, then larger ones. The item with the most padding is an
/// exception: it comes last in the first group.
fn order(decoder: &Decoder<'_>, tightest: Option<Point>, failures: &[u32]) -> Vec<u32> {
    let items = &decoder.problem().items;
    let is_there = |item: u32| tightest.is_some_and(|point| decoder.hull(item).contains(point));
    let mut order: Vec<u32> = decoder.free_items().collect();
    order.sort_by_cached_key(|&item| {
        let index = item as usize;
        let rank = (!is_there(item), Reverse(failures[index]));
        let start = decoder.hull(item).start;
        (rank, Reverse(items[index].size), start, item)
    });
    let n_there = order.partition_point(|item| is_there(*item));
    let there = &mut order[..n_there];
    // The last one with the most padding, so that nothing moves if there is no padding.
    let most_padded = (0..n_there).max_by_key(|&index| decoder.padding(there[index]));
    if let Some(index) = most_padded {
        there[index..].rotate_left(1);
    }
    order
}

#[cfg(test)]
mod tests {
    use mem_model::{BufferId, Bytes, Interval, Item, Part, Point, Problem, StepId};

    use crate::{PlanOptions, Strategy, plan};

    /// Offsets and peak of items as (size, alignment), all of them live at once.
    fn answer(items: &[(u64, u64)]) -> (Vec<u64>, u64) {
        let item = |(index, &(size, alignment)): (usize, &(u64, u64))| {
            let live = Interval::new(Point::late(StepId::new(0)), Point::late(StepId::new(1)));
            let part = Part::whole(Bytes::new(size), [live].into_iter().collect());
            let (size, alignment) = (Bytes::new(size), Bytes::new(alignment));
            Item::new(BufferId::new(index), size, alignment, vec![part])
        };
        let problem = Problem::of_items(items.iter().enumerate().map(item).collect());
        let options = PlanOptions::default();
        let plan = plan(&problem, Strategy::TightestFirst, &options).expect("a plan");
        let offsets = plan.placements.iter().map(|p| p.offset.get());
        (offsets.collect(), plan.peak.get())
    }

    #[test]
    fn the_item_with_the_most_padding_is_the_topmost() {
        // In the order of their sizes, the peak is 192 + 96 = 288.
        assert_eq!(answer(&[(132, 64), (96, 64)]), (vec![128, 0], 128 + 132));
        assert_eq!(answer(&[(96, 64), (132, 64), (64, 64)]).1, 128 + 64 + 132);
    }

    #[test]
    fn items_without_padding_are_sorted_by_size() {
        assert_eq!(answer(&[(64, 64), (128, 64)]), (vec![128, 0], 192));
        assert_eq!(answer(&[(3, 1), (64, 64)]), (vec![64, 0], 67));
    }
}
