//! The blocks that a step of the search chooses from, in ascending order of their keys, and what it reads of
//! them.

use super::shape::Block;

/// A placement: its offset and its rank. Placements are in ascending order of their keys.
pub(super) type Key = (u64, u32);

/// The offset in the keys of blocks that have been placed: above all offsets.
pub(super) const PLACED: u64 = u64::MAX;

/// A block and its key, as one number that compares as the key does. Reading it follows no pointers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Keyed(u128);

impl Keyed {
    pub(super) fn new((offset, rank): Key, block: u32) -> Self {
        Self(u128::from(offset) << 64 | u128::from(rank) << 32 | u128::from(block))
    }

    pub(super) fn block(self) -> u32 {
        self.0 as u32
    }

    pub(super) fn rank(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn offset(self) -> u64 {
        (self.0 >> 64) as u64
    }

    pub(super) fn key(self) -> Key {
        (self.offset(), self.rank())
    }
}

/// Remaining blocks that are searched together.
pub(super) struct Group {
    /// In ascending order. A placement changes the keys of few blocks, so that the candidates for the next
    /// one need not be sorted at each step.
    pub blocks: Vec<Keyed>,
    /// Sections that contain all of those in which a block of the group is live.
    pub start: u32,
    pub end: u32,
    /// The sum of the widths of the blocks.
    pub width: u64,
    /// Whether two blocks conflict if and only if they are live in a common section, and then with all
    /// of their bytes.
    pub is_plain: bool,
}

/// What a step reads of a block.
#[derive(Clone, Copy)]
pub(super) struct Outline {
    pub size: u64,
    pub width: u64,
    pub start: u32,
    pub end: u32,
}

impl Outline {
    pub(super) fn of(block: &Block) -> Self {
        let hull = block.hull();
        Self {
            size: block.size,
            width: block.width(),
            start: hull.start,
            end: hull.end,
        }
    }
}

/// Returns a group without the blocks that `is_gone`, and with those of `new`. Both are ascending. Linear.
pub(super) fn replaced(
    group: &[Keyed],
    is_gone: impl Fn(u32) -> bool,
    new: &[Keyed],
) -> Vec<Keyed> {
    let mut rest = Vec::with_capacity(group.len());
    let mut new = new.iter().copied().peekable();
    for &own in group {
        if is_gone(own.block()) {
            continue;
        }
        while let Some(moved) = new.next_if(|moved| *moved < own) {
            rest.push(moved);
        }
        rest.push(own);
    }
    rest.extend(new);
    rest
}

/// The first section from `section` on that has to be visited. Shortens the path for the next question.
pub(super) fn next_open(next: &mut [u32], section: u32) -> u32 {
    let mut open = section;
    while next[open as usize] != open {
        // Path halving keeps paths short without a second walk.
        next[open as usize] = next[next[open as usize] as usize];
        open = next[open as usize];
    }
    open
}
