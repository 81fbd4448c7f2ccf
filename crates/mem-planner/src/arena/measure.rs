//! Measures of a placement: where items end, the peak, and the bytes above a bound.

use mem_model::{Bytes, Item, Problem};

/// Bytes from the end of an item of `size` bytes to the next multiple of `alignment`, which is a power
/// of two. `None` if that multiple does not fit in 64 bits.
pub(super) fn padding(size: Bytes, alignment: Bytes) -> Option<Bytes> {
    size.checked_align_up(alignment)?.checked_sub(size)
}

/// End of an item at an offset.
pub(super) fn end_of(item: &Item, offset: Bytes) -> Bytes {
    // On overflow the end exceeds every limit.
    offset
        .checked_add(item.size)
        .unwrap_or(Bytes::new(u64::MAX))
}

/// Highest end of any item, dead or alive: code may form the address of a buffer that it never
/// touches.
pub(super) fn peak_of(problem: &Problem, offsets: &[Bytes]) -> Bytes {
    let placed = problem.items.iter().zip(offsets);
    let ends = placed.map(|(item, &offset)| end_of(item, offset));
    ends.max().unwrap_or_default()
}

/// Total bytes by which items extend past `bound`.
pub(super) fn excess_of(problem: &Problem, offsets: &[Bytes], bound: Bytes) -> u128 {
    let ends = problem.items.iter().zip(offsets);
    let beyond = |(item, &offset): (&Item, &Bytes)| {
        u128::from(end_of(item, offset).get().saturating_sub(bound.get()))
    };
    ends.map(beyond).sum()
}
