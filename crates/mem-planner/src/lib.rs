//! Addresses for buffers in one memory level. A planner takes a [`Problem`], items with sizes and
//! lifetimes, and answers with a [`Plan`]; it knows nothing of programs.
//!
//! Every strategy honours alignments, gives bytes of different items that are live at a common point
//! different addresses, and is deterministic. The peak is the highest end of any item, whether it is ever live or not:
//! code may form the address of a buffer that it never touches.

#![forbid(unsafe_code)]

mod arena;
mod bound;
mod exact;
mod first_fit;
mod greedy_by_conflict;
mod greedy_by_size;
mod lifetime_queue;
mod limits;
mod lowest_fit;

pub use bound::{Pressure, lower_bound, pressure};
pub(crate) use limits::Limits;

use std::time::Duration;

use mem_model::{BufferId, Bytes, Item, Placement, Plan, Point, Problem};

/// No size or address exceeds this: offsets are signed 64-bit in IR.
pub const MAX_BYTES: Bytes = Bytes::new(i64::MAX as u64);

/// Most items that `auto` gives to a strategy whose time is quadratic.
const MAX_QUADRATIC: usize = 30_000;

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
    /// Those with the most bytes in their way first, each as low as possible.
    GreedyByConflict,
    /// The largest first, each as low as possible.
    GreedyBySize,
    /// One pass in execution order, best fit with coalescing.
    LifetimeQueue,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 6] = [
        Self::Auto,
        Self::Exact,
        Self::FirstFit,
        Self::GreedyByConflict,
        Self::GreedyBySize,
        Self::LifetimeQueue,
    ];

    /// The name it is selected by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::FirstFit => "first-fit",
            Self::GreedyByConflict => "greedy-by-conflict",
            Self::GreedyBySize => "greedy-by-size",
            Self::LifetimeQueue => "lifetime-queue",
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

/// What every strategy can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlanOptions {
    /// Every offset is a multiple of this as well; zero: nothing more than the items ask for.
    pub alignment: Bytes,
    /// How much a search may do, in blocks that it looks at: some ten million a second. The same on every
    /// machine, so that plans do not depend on it.
    pub effort: u64,
    /// When a search stops at the latest; plans then depend on the machine.
    pub time_limit: Option<Duration>,
    /// A peak that is low enough: a search stops there. `None`: the lowest that it can find.
    pub enough: Option<Bytes>,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            alignment: Bytes::ZERO,
            effort: 4_000_000,
            time_limit: None,
            enough: None,
        }
    }
}

impl PlanOptions {
    /// The options with another bound on what a search may do; 0: no search.
    #[must_use]
    pub const fn with_effort(mut self, effort: u64) -> Self {
        self.effort = effort;
        self
    }

    /// The options with a peak at which a search stops.
    #[must_use]
    pub const fn with_enough(mut self, peak: Bytes) -> Self {
        self.enough = Some(peak);
        self
    }

    /// The options with a bound on how long a search may take.
    #[must_use]
    pub const fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// The options with every offset a multiple of `alignment` bytes, a power of two or zero.
    #[must_use]
    pub const fn with_alignment(mut self, alignment: Bytes) -> Self {
        self.alignment = alignment;
        self
    }
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The arena would be larger than the level.
    #[error(transparent)]
    NoFit(Box<NoFit>),
    /// Offsets are signed 64-bit numbers; these sizes do not add up to one.
    #[error("sizes add up to more than 2^63-1 bytes")]
    Overflow,
    /// Addresses are rounded up by masking.
    #[error("alignment {0} is not a power of two")]
    Alignment(Bytes),
}

/// Who holds which bytes where a plan does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{needed} bytes are needed at {point}, {missing} more than the capacity of {capacity}{}",
    if *.is_proven { "" } else { " (another strategy may need fewer)" }
)]
pub struct NoFit {
    /// Bytes available.
    pub capacity: Bytes,
    /// Bytes needed: the lower bound if that exceeds the capacity, or else the plan's peak.
    pub needed: Bytes,
    /// `needed` less `capacity`.
    pub missing: Bytes,
    /// Whether no plan whatsoever fits.
    pub is_proven: bool,
    /// Where that many bytes are needed.
    pub point: Point,
    /// The items that are live there, by offset.
    pub live: Vec<Occupant>,
}

/// An item in a memory map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// The buffer.
    pub buffer: BufferId,
    /// Which of its slots.
    pub slot: u32,
    /// Its size in bytes.
    pub size: Bytes,
    /// Where the strategy wanted to put it, in bytes from the start of the arena.
    pub offset: Bytes,
}

/// Chooses an address for every item of `problem`. The plan names the strategy that found it: for
/// `auto`, the one that won.
///
/// # Errors
/// If the items do not fit the capacity, with the memory map where that shows; if sizes add up to
/// more than [`MAX_BYTES`]; if an alignment is not a power of two.
pub fn plan(
    problem: &Problem,
    strategy: Strategy,
    options: &PlanOptions,
) -> Result<Plan, PlanError> {
    solve(problem, strategy, options).map(|solution| solution.plan)
}

/// A plan, and what is known of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The plan.
    pub plan: Plan,
    /// No plan has a lower peak than this: the sum of what is live at once, or more if a search has
    /// proven that.
    pub bound: Bytes,
}

impl Solution {
    /// Whether no plan has a lower peak.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.plan.peak <= self.bound
    }
}

/// As [`plan`], with what a search has proven.
///
/// # Errors
/// As for [`plan`].
pub fn solve(
    problem: &Problem,
    asked: Strategy,
    options: &PlanOptions,
) -> Result<Solution, PlanError> {
    let alignments = alignments(problem, options)?;
    let pressure = bound::pressure(problem).ok_or(PlanError::Overflow)?;
    let mut bound = pressure.bytes;
    let (mut strategy, mut offsets) = match asked {
        Strategy::Auto | Strategy::Exact => best(problem, &alignments, bound)?,
        simple => (simple, offsets_of(simple, problem, &alignments)?),
    };
    if matches!(asked, Strategy::Auto | Strategy::Exact) {
        let mut limits = Limits::new(options);
        let peak = peak_of(problem, &offsets);
        let found = exact::improve(problem, &alignments, bound, peak, &mut limits);
        bound = found.bound;
        if let Some(better) = found.offsets {
            (strategy, offsets) = (Strategy::Exact, better);
        }
    }
    let peak = peak_of(problem, &offsets);
    if peak > MAX_BYTES {
        return Err(PlanError::Overflow);
    }
    check_capacity(problem, &offsets, peak, &pressure)?;
    let placement = |(item, offset): (&Item, Bytes)| Placement {
        buffer: item.buffer,
        slot: item.slot,
        offset,
    };
    let plan = Plan {
        strategy: strategy.name().to_owned(),
        placements: problem.items.iter().zip(offsets).map(placement).collect(),
        peak,
        lower_bound: pressure.bytes,
    };
    Ok(Solution { plan, bound })
}

/// The offsets of the simple strategy that has the lowest peak, the first of equals.
fn best(
    problem: &Problem,
    alignments: &[Bytes],
    bound: Bytes,
) -> Result<(Strategy, Vec<Bytes>), PlanError> {
    let queue = lifetime_queue::offsets(problem, alignments)?;
    let mut best = (Strategy::LifetimeQueue, queue);
    let mut peak = peak_of(problem, &best.1);
    let others = [
        Strategy::GreedyBySize,
        Strategy::GreedyByConflict,
        Strategy::FirstFit,
    ];
    for strategy in others {
        if problem.items.len() > MAX_QUADRATIC || peak <= bound {
            break;
        }
        let offsets = offsets_of(strategy, problem, alignments)?;
        let other = peak_of(problem, &offsets);
        if other < peak {
            (best, peak) = ((strategy, offsets), other);
        }
    }
    Ok(best)
}

/// The offsets of a strategy that does not search.
fn offsets_of(
    strategy: Strategy,
    problem: &Problem,
    alignments: &[Bytes],
) -> Result<Vec<Bytes>, PlanError> {
    match strategy {
        Strategy::FirstFit => first_fit::offsets(problem, alignments),
        Strategy::GreedyByConflict => greedy_by_conflict::offsets(problem, alignments),
        Strategy::GreedyBySize => greedy_by_size::offsets(problem, alignments),
        Strategy::LifetimeQueue | Strategy::Auto | Strategy::Exact => {
            lifetime_queue::offsets(problem, alignments)
        }
    }
}

fn peak_of(problem: &Problem, offsets: &[Bytes]) -> Bytes {
    let placed = problem.items.iter().zip(offsets);
    let ends = placed.map(|(item, &offset)| end_of(item, offset));
    ends.max().unwrap_or_default()
}

/// By item, what its offset must be a multiple of.
fn alignments(problem: &Problem, options: &PlanOptions) -> Result<Vec<Bytes>, PlanError> {
    let common = options.alignment.max(Bytes::new(1));
    let of_item = |item: &Item| {
        let alignment = item.alignment.max(common);
        let is_valid = item.alignment.is_power_of_two() && common.is_power_of_two();
        is_valid
            .then_some(alignment)
            .ok_or(PlanError::Alignment(alignment))
    };
    problem.items.iter().map(of_item).collect()
}

fn end_of(item: &Item, offset: Bytes) -> Bytes {
    // Beyond every limit, should it overflow.
    offset
        .checked_add(item.size)
        .unwrap_or(Bytes::new(u64::MAX))
}

fn check_capacity(
    problem: &Problem,
    offsets: &[Bytes],
    peak: Bytes,
    pressure: &Pressure,
) -> Result<(), PlanError> {
    let Some(capacity) = problem.capacity.filter(|&capacity| peak > capacity) else {
        return Ok(());
    };
    // The plan is to blame only where the lower bound would fit.
    let highest = (0..offsets.len())
        .max_by_key(|&i| end_of(&problem.items[i], offsets[i]))
        .filter(|_| pressure.bytes <= capacity);
    let start_of = |i: usize| problem.items[i].hull().map(|hull| hull.start);
    let too_large = problem
        .items
        .iter()
        .map(|i| i.size)
        .max()
        .filter(|&size| size > capacity);
    let is_proven = pressure.bytes > capacity || too_large.is_some();
    let (needed, point) = if pressure.bytes > capacity {
        (pressure.bytes, pressure.point)
    } else {
        (peak, highest.and_then(start_of))
    };
    let point = point.unwrap_or(Point::early(mem_model::StepId::new(0)));
    let mut live: Vec<Occupant> = (problem.items.iter().zip(offsets).enumerate())
        .filter(|(i, (item, _))| item.live().contains(point) || Some(*i) == highest)
        .map(|(_, (item, &offset))| Occupant {
            buffer: item.buffer,
            slot: item.slot,
            size: item.size,
            offset,
        })
        .collect();
    live.sort_by_key(|occupant| (occupant.offset, occupant.buffer, occupant.slot));
    Err(PlanError::NoFit(Box::new(NoFit {
        capacity,
        needed,
        missing: needed.checked_sub(capacity).unwrap_or_default(),
        is_proven,
        point,
        live,
    })))
}
