//! What it costs if two items that one step accesses begin close to each other within a page.

use mem_model::{Contact, Partner};

/// Size of a page in bytes: addresses that are equal modulo this number have equal low bits.
pub(super) const PAGE: i64 = 4096;

/// Distances up to which two items are close, in bytes within a page, with the cost per weight of
/// the contact. A product of matrices in which a store and the next load are less than a cache line
/// apart takes up to a third longer on AMD's Zen 4; a convolution whose result begins one or two
/// lines above its operand, a tenth longer. From four lines on, no loop was slower.
const CLOSE: [(i64, u64); 2] = [(64, 4), (256, 1)];

/// The cost for a distance between the starts of two items.
pub(super) fn of_distance(distance: i64) -> u64 {
    let above = distance.rem_euclid(PAGE);
    let distance = above.min(PAGE - above);
    let close = CLOSE.iter().find(|(limit, _)| distance < *limit);
    close.map_or(0, |(_, cost)| *cost)
}

/// The cost of a contact if items are at `offsets`. A result in the place of its operand costs nothing: what is
/// loaded there is what was stored.
pub(super) fn of_contact(contact: &Contact, offsets: &[i64]) -> u64 {
    let other = match contact.other {
        Partner::Item(other) if offsets[other] == offsets[contact.item] => return 0,
        Partner::Item(other) => offsets[other],
        Partner::Outside => 0,
    };
    of_distance(offsets[contact.item] - other).saturating_mul(contact.weight)
}

/// A contact, as one of its items sees it.
pub(super) struct Neighbour {
    /// The other item; `None`: outside of the arena.
    pub item: Option<usize>,
    pub weight: u64,
}

/// Per item: its contacts.
pub(super) fn neighbours_of(contacts: &[Contact], n_items: usize) -> Vec<Vec<Neighbour>> {
    let mut neighbours: Vec<Vec<Neighbour>> = (0..n_items).map(|_| Vec::new()).collect();
    for contact in contacts {
        let weight = contact.weight;
        let other = match contact.other {
            Partner::Item(other) => Some(other),
            Partner::Outside => None,
        };
        neighbours[contact.item].push(Neighbour {
            item: other,
            weight,
        });
        if let Some(other) = other {
            neighbours[other].push(Neighbour {
                item: Some(contact.item),
                weight,
            });
        }
    }
    neighbours
}
