//! Names of the policies.

/// How the planner makes room on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffloadPolicy {
    /// Mixes swapping and recomputing for the shortest makespan found.
    #[default]
    Auto,
    /// Swaps only, and recomputes nothing.
    Swap,
    /// Minimizes the bytes copied: recomputes where possible, and swaps the rest.
    Recompute,
    /// Keeps every ⌊√n⌋-th of the n tensors that could be dropped, and recomputes those in between
    /// (T. Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016); for comparison.
    Checkpoints,
    /// Evicts the tensor with the farthest next use when there is no room, and brings it back when
    /// it is needed; for comparison.
    FarthestNextUse,
}

impl OffloadPolicy {
    /// All policies.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Swap,
        Self::Recompute,
        Self::Checkpoints,
        Self::FarthestNextUse,
    ];

    /// Name of the policy, as parsed by [`FromStr`](std::str::FromStr).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Swap => "swap",
            Self::Recompute => "recompute",
            Self::Checkpoints => "checkpoints",
            Self::FarthestNextUse => "farthest-next-use",
        }
    }
}

impl std::str::FromStr for OffloadPolicy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no policy '{name}'; there are {names}")
        })
    }
}
