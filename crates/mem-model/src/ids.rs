//! Dense, typed ids. An id is an index into the flat vector that holds the entity; it carries no
//! other meaning.

use serde::{Deserialize, Serialize};

macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Returns the id of the element at `index`.
            ///
            /// # Panics
            /// If `index` does not fit in 32 bits.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 elements"))
            }

            /// Returns the position in the vector that this id indexes.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

dense_id!(
    /// A buffer: the storage of one tensor. Indexes `Program::buffers`.
    BufferId, "b"
);
dense_id!(
    /// A pointer: a program value that denotes storage. Indexes `Program::pointers`.
    PointerId, "p"
);
dense_id!(
    /// A region of structured control flow. Indexes `Program::regions`.
    RegionId, "r"
);
dense_id!(
    /// A basic block. Indexes `Program::blocks`.
    BlockId, "bb"
);
dense_id!(
    /// A step: one operation, in layout order. Indexes `Program::steps`.
    StepId, "s"
);
dense_id!(
    /// A scalar value that access bounds and predicates depend on. Indexes `Program::symbols`.
    SymbolId, "y"
);
dense_id!(
    /// The completion token of asynchronous accesses. Indexes `Program::tokens`.
    TokenId, "t"
);
dense_id!(
    /// A level of the memory hierarchy; level 0 is the fastest. Indexes `Hierarchy::levels`.
    LevelId, "l"
);
dense_id!(
    /// A link between ranks. Indexes `Hierarchy::links`; a machine that states none has one.
    LinkId, "l"
);
dense_id!(
    /// A tensor: data that is placed in levels as a whole. Indexes `LevelProblem::tensors`.
    TensorId, "t"
);
dense_id!(
    /// A placement: a tensor at one address, or at home. Indexes `LevelPlan::placements`.
    PlacementId, "p"
);
dense_id!(
    /// A transfer: a copy between two placements of a tensor. Indexes `LevelPlan::transfers`.
    TransferId, "x"
);
dense_id!(
    /// A message to or from another rank that travels beside computation. Unique within a problem.
    MessageId, "m"
);
dense_id!(
    /// A gap between two uses of a tensor, in which it may leave a device. Indexes the gaps of the
    /// planner within a budget.
    GapId, "g"
);

impl LevelId {
    /// The fastest level of a hierarchy.
    pub const FASTEST: Self = Self(0);
    /// Where a budget applies: in a hierarchy of a device and its host, the device.
    pub const DEVICE: Self = Self::FASTEST;
    /// Where tensors go that the device has no room for.
    pub const HOST: Self = Self(1);
}
