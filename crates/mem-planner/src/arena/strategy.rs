//! Names of the strategies.

use mem_model::{UnknownName, named};

/// A strategy for choosing addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The cheap strategies first, then `exact` and `genetic` for the remaining gap.
    #[default]
    Auto,
    /// A search that proves optimality, or returns the best plan within its budget.
    Exact,
    /// Items in the order in which they become live, each at the lowest feasible offset.
    FirstFit,
    /// A genetic algorithm over placement orders.
    Genetic,
    /// Items with the most conflicting bytes first, each at the lowest feasible offset.
    GreedyByConflict,
    /// Largest items first, each at the lowest feasible offset.
    GreedyBySize,
    /// One pass in execution order, best fit with coalescing.
    LifetimeQueue,
    /// Items live at the point of maximum pressure first; items that end too high move forward in
    /// the next round.
    TightestFirst,
}

impl Strategy {
    /// All strategies, sorted by name.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Exact,
        Self::FirstFit,
        Self::Genetic,
        Self::GreedyByConflict,
        Self::GreedyBySize,
        Self::LifetimeQueue,
        Self::TightestFirst,
    ];

    /// Name that selects the strategy.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::FirstFit => "first-fit",
            Self::Genetic => "genetic",
            Self::GreedyByConflict => "greedy-by-conflict",
            Self::GreedyBySize => "greedy-by-size",
            Self::LifetimeQueue => "lifetime-queue",
            Self::TightestFirst => "tightest-first",
        }
    }
}

impl std::fmt::Display for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Strategy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        named("strategy", &Self::ALL, Self::name, name)
    }
}
