//! The names of the strategies.

/// A way to choose addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The cheap ones first, `exact` for what is left.
    #[default]
    Auto,
    /// A search that proves its answer, or returns its best.
    Exact,
    /// In the order in which they come to life, each as low as possible.
    FirstFit,
    /// A population of orders that get better.
    Genetic,
    /// Those with the most bytes in their way first, each as low as possible.
    GreedyByConflict,
    /// The largest first, each as low as possible.
    GreedyBySize,
    /// One pass in execution order, best fit with coalescing.
    LifetimeQueue,
    /// What is live at the point with the most bytes first; what does not fit comes earlier next time.
    TightestFirst,
}

impl Strategy {
    /// Every strategy.
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

    /// The name it is selected by.
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

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown strategy '{name}'; known: {}", Strategy::ALL.map(Strategy::name).join(", "))]
pub struct UnknownStrategy {
    /// The name.
    pub name: String,
}

impl std::str::FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        let named = Self::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name);
        named.ok_or_else(|| UnknownStrategy {
            name: name.to_owned(),
        })
    }
}
