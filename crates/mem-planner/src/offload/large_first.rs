//! Addresses on the device: the large items first, and the small ones between them.

use mem_model::{Bytes, Item, Problem, Reuse};

use super::{is_within, tuning};
use crate::{PlanOptions, Strategy};

/// Peak in bytes, and the offset of each item.
pub(super) type Packed = (u64, Vec<Bytes>);

/// `None` if the packer fails.
pub(super) fn packed_once(packing: &Problem, options: &PlanOptions) -> Option<Packed> {
    let found = crate::plan(packing, Strategy::Auto, options).ok()?;
    let offsets = found.placements.iter().map(|own| own.offset);
    Some((found.peak.get(), offsets.collect()))
}

/// Packs with a search that takes `effort`, and stops once the peak is at most `enough` bytes. `None` if
/// the packer fails.
pub(super) fn packed(packing: &Problem, enough: u64, effort: u64) -> Option<Packed> {
    let first = large_first(packing, enough, effort);
    // A search of all items together seldom gets as far, and takes longer.
    let is_done = |peak: u64| {
        let is_hopeless = packing.items.len() > tuning::FEW_ITEMS
            && effort > 0
            && !is_within(peak, enough, tuning::NEARLY_PACKED);
        peak <= enough || is_hopeless
    };
    if first.as_ref().is_some_and(|(peak, _)| is_done(*peak)) {
        return first;
    }
    let options = PlanOptions::default().with_effort(effort);
    let whole = packed_once(packing, &options.with_enough(Bytes::new(enough)));
    // On a tie, the first stays.
    first.into_iter().chain(whole).min_by_key(|(peak, _)| *peak)
}

/// Packs the large items first, and then the small ones between them: a search that moves thousands of
/// small items seldom gets to the few that matter. `None` if nearly all items are large.
fn large_first(packing: &Problem, enough: u64, effort: u64) -> Option<Packed> {
    let is_large = |item: &Item| item.size.get() > enough / tuning::SMALL_ITEM;
    let large: Vec<usize> = (0..packing.items.len())
        .filter(|index| is_large(&packing.items[*index]))
        .collect();
    if large.len() > packing.items.len() - packing.items.len() / tuning::FEW_SMALL {
        return None;
    }
    let items = large.iter().map(|index| packing.items[*index].clone());
    let mut part = Problem::of_items(items.collect());
    let number = |item: usize| large.binary_search(&item).ok();
    part.reuses = (packing.reuses.iter())
        .filter_map(|own| {
            Some(Reuse {
                operand: number(own.operand)?,
                result: number(own.result)?,
            })
        })
        .collect();
    // The small items need some bytes above.
    let enough = enough - enough / tuning::SMALL_SLACK;
    let options = PlanOptions::default().with_effort(effort);
    let (_, offsets) = packed_once(&part, &options.with_enough(Bytes::new(enough)))?;
    let mut whole = packing.clone();
    for (index, offset) in large.iter().zip(offsets) {
        whole.items[*index].fixed = Some(offset);
    }
    packed_once(&whole, &PlanOptions::default().with_effort(0))
}

#[cfg(test)]
mod tests {
    use mem_model::{BufferId, Interval, IntervalSet, Part, Point, StepId};
    use mem_testkit::Rng;

    use super::*;

    fn item(number: usize, size: u64, start: usize, end: usize) -> Item {
        let [start, end] = [start, end].map(|step| Point::early(StepId::new(step)));
        let live = IntervalSet::from_iter([Interval::new(start, end)]);
        let parts = vec![Part::whole(Bytes::new(size), live)];
        let buffer = BufferId::new(number);
        Item::new(buffer, Bytes::new(size), Bytes::new(4), parts)
    }

    /// Few large items, and many small ones of up to a thousandth of the bytes.
    fn random(rng: &mut Rng) -> (Problem, Vec<(u64, usize, usize)>) {
        let mut all = Vec::new();
        for number in 0..120 {
            let size = match number % 4 {
                0 => 4 * (1000 + rng.below(30_000)),
                _ => 4 * (1 + rng.below(50)),
            };
            let start = rng.below(40);
            all.push((size as u64, start, start + 1 + rng.below(12)));
        }
        let items = (all.iter().enumerate())
            .map(|(number, (size, start, end))| item(number, *size, *start, *end));
        (Problem::of_items(items.collect()), all)
    }

    #[test]
    fn no_two_items_share_bytes_at_a_step() {
        for seed in 0..40 {
            let (problem, all) = random(&mut Rng::new(seed));
            let (peak, offsets) = large_first(&problem, 1_000_000, 10_000).expect("it packs");
            assert_eq!(offsets.len(), all.len(), "seed {seed}");
            for (one, (size, start, end)) in all.iter().enumerate() {
                let at = offsets[one].get();
                assert!(at % 4 == 0 && at + size <= peak, "seed {seed}");
                for (other, (other_size, other_start, other_end)) in all.iter().enumerate() {
                    let meet = one != other && start < other_end && other_start < end;
                    let below = at + size <= offsets[other].get();
                    let above = offsets[other].get() + other_size <= at;
                    assert!(!meet || below || above, "seed {seed}: {one} {other}");
                }
            }
        }
    }

    #[test]
    fn small_items_find_room_between_large_ones() {
        // Small ones fit where a large one follows a larger one.
        let mut items = vec![item(0, 600_000, 0, 10), item(1, 400_000, 0, 5)];
        items.push(item(2, 300_000, 5, 10));
        items.extend((0..100).map(|at| item(3 + at, 900, 5, 10)));
        let problem = Problem::of_items(items);
        let (peak, _) = packed(&problem, 1_000_000, 1000).expect("it packs");
        assert_eq!(peak, 1_000_000);
    }

    #[test]
    fn without_small_items_nothing_comes_first() {
        let items = (0..8).map(|at| item(at, 1000, 0, 10)).collect();
        let problem = Problem::of_items(items);
        assert!(large_first(&problem, 8000, 1000).is_none());
        let (peak, _) = packed(&problem, 8000, 1000).expect("it packs");
        assert_eq!(peak, 8000);
    }
}
