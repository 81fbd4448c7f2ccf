//! Items that one step accesses together, for the choice between plans of equal peak.

/// Two pieces of storage that one step accesses, at least one of which it writes.
///
/// Processors compare the low bits of addresses to find out whether a load depends on an earlier
/// store. If the two pieces begin at nearly equal offsets within a page, a load of one seems to
/// depend on a store to the other and waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Contact {
    /// Index of an item of the problem.
    pub item: usize,
    /// The other piece.
    pub other: Partner,
    /// How much the accesses count, compared with those of other contacts.
    pub weight: u64,
}

/// The other piece of storage of a [`Contact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Partner {
    /// Index of an item of the problem.
    Item(usize),
    /// Storage outside of the arena, such as an argument. Its address is not known to the planner.
    Outside,
}
