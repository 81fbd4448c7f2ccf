//! Addresses on the device: the large items first, and the small ones between them.

use mem_model::{Bytes, Item, Problem, Reuse};

use super::tuning;
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
    if let Some(found) = first.as_ref().filter(|(peak, _)| *peak <= enough) {
        return Some(found.clone());
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
