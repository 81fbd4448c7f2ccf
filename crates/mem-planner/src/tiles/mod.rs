//! Tiles: executes groups of operations tile by tile, so that the tensors between them never exist
//! as a whole.
//!
//! A *group* is a sequence of consecutive operations. For each tile of the last operation's result,
//! each operation of the group computes the rows that the tile needs. Rows that the next tile needs
//! as well are kept, or computed again; each element is computed as before.
//!
//! * `group.rs` determines which dimension of each operation is divided,
//! * `profile.rs` determines which buffers are live without tiles,
//! * `phases.rs` determines which whole buffers are live before and during the tiles of a group,
//! * `schedule.rs` determines how far each operation is before and after each tile,
//! * `shape.rs` determines the iterations that a tile executes, and the rows of its windows,
//! * `runs.rs` finds out which of them are repeated,
//! * `takeovers.rs` finds results that can be written over operands,
//! * `streams.rs` finds whole buffers whose rows can be copied tile by tile beside computation,
//! * `footprint.rs` determines the memory that they take,
//! * `search.rs` visits groups, and finds the cheapest ones that together make up a program,
//! * `candidates.rs` holds the groups that may take less memory, and evaluates them when needed,
//! * `limits.rs` determines which operations groups cannot have,
//! * `peak.rs` chooses groups and the size of their tiles by memory,
//! * `time.rs` chooses them by the time that they take in a hierarchy.
//!
//! The method is known as fused-layer execution (Alwani et al., MICRO 2016) and depth-first
//! scheduling (Mei et al., DeFiNES, HPCA 2023).
//!
//! Not guaranteed: that the planned program takes exactly the estimated bytes. The estimate ignores
//! alignment, and other takeovers than of operands by results of equal shape.

mod candidates;
mod footprint;
mod group;
mod limits;
mod peak;
mod phases;
mod profile;
mod runs;
mod schedule;
mod search;
mod shape;
mod streams;
mod takeovers;
#[cfg(test)]
mod tests;
mod time;
mod tuning;

use mem_model::{BufferId, Bytes, Hierarchy, StepId, TileGroup, TileProgram};

pub use group::Refusal;
pub use limits::TileLimit;

use peak::PeakSearch;
use profile::Profile;
use search::Rules;
use time::TimeSearch;

/// What tiles are chosen for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TileTarget<'a> {
    /// The smallest peak.
    Peak,
    /// A peak of at most this many bytes, or the smallest peak if that is larger.
    Capacity(Bytes),
    /// Operations and groups that each access at most some bytes, or as few as possible if that is more:
    /// buffers that they do not access are moved to another memory, or computed again.
    Budget {
        /// The bytes.
        budget: Bytes,
        /// Whether engines may copy rows of whole buffers from and to the other memory, tile by tile.
        streams: bool,
    },
    /// The least time in a hierarchy of memories.
    Time {
        /// The hierarchy.
        hierarchy: &'a Hierarchy,
        /// By how many percent of its own time a group must save time to be chosen: the time is an estimate.
        margin: u32,
        /// Whether engines may copy rows of whole buffers tile by tile, beside computation.
        streams: bool,
    },
}

/// What happens to rows that several tiles need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlap {
    /// They are kept from tile to tile.
    Keep,
    /// Each tile computes them, as far as that is possible.
    Recompute,
    /// Whichever is better for the target.
    #[default]
    Auto,
}

/// How tiles are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileOptions<'a> {
    /// What they are chosen for.
    pub target: TileTarget<'a>,
    /// What happens to rows that several tiles need.
    pub overlap: Overlap,
    /// Iterations that may be executed in addition, in percent of those of all operations.
    pub extra_work: u32,
}

/// The groups of a program, in program order; the other operations are executed as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TilePlan {
    /// The groups.
    pub groups: Vec<TileGroup>,
    /// Estimate of the peak without tiles, arguments excluded.
    pub untiled_peak: Bytes,
    /// Estimate of the bytes that are live during each operation without tiles, arguments excluded.
    pub untiled_live: Vec<Bytes>,
    /// Estimate of the peak with the groups of this plan.
    pub peak: Bytes,
    /// The groups and operations with this peak, as ranges of operations.
    pub widest: Vec<(StepId, StepId)>,
}

/// Plans the tiles of a program. Deterministic. Takes time O(cuts² · operations of a group · sizes),
/// where cuts are the positions with fewer live bytes than beside them, and sizes are those of tiles
/// that are tried; a size that computes rows again takes time proportional to its tiles.
#[must_use]
pub fn plan_tiles(program: &TileProgram, options: &TileOptions<'_>) -> TilePlan {
    let profile = match options.target {
        TileTarget::Budget { streams, .. } => Profile::of_accesses(program, streams),
        _ => Profile::new(program),
    };
    let rules = Rules::new(options);
    let mut streams: Vec<Vec<BufferId>> = Vec::new();
    let tilings = match options.target {
        TileTarget::Peak => PeakSearch::new(&profile, rules).within(Bytes::ZERO),
        TileTarget::Capacity(capacity) => PeakSearch::new(&profile, rules).within(capacity),
        TileTarget::Budget { budget, .. } => {
            let wanted = Bytes::new(budget.get() - budget.get() / tuning::BUDGET_SLACK);
            let tilings = PeakSearch::new(&profile, rules).within(wanted);
            let all = tilings.iter().flatten();
            streams = all.map(|own| own.streams(&profile, wanted).0).collect();
            tilings
        }
        TileTarget::Time {
            hierarchy,
            margin,
            streams: may_stream,
        } => TimeSearch::new(&profile, hierarchy, rules, may_stream).map(|search| {
            let tilings = search.cheapest(margin);
            streams = tilings.iter().map(|own| search.streams(own)).collect();
            tilings
        }),
    };
    let tilings = tilings.unwrap_or_default();
    // In a hierarchy, an operand and a result may be in different levels.
    let may_take = !matches!(options.target, TileTarget::Time { .. });
    let groups = tilings.iter().enumerate().map(|(at, tiling)| {
        let streamed = streams.get(at).map_or(&[][..], |own| own);
        tiling.group(&profile, streamed, may_take)
    });
    let groups: Vec<TileGroup> = groups.collect();
    let plan = TilePlan {
        untiled_peak: profile.peak(),
        untiled_live: Profile::new(program)
            .live
            .into_iter()
            .map(Bytes::new)
            .collect(),
        peak: profile.tiled_peak(&groups),
        widest: profile.widest(&groups),
        groups,
    };
    trace(program, &plan);
    plan
}

fn trace(program: &TileProgram, plan: &TilePlan) {
    log::debug!(
        target: "tiles",
        "{} operations: {} bytes without tiles, {} with, {} groups",
        program.operations.len(), plan.untiled_peak.get(), plan.peak.get(), plan.groups.len(),
    );
    for (first, end) in &plan.widest {
        let name = &program.operations[first.index()].name;
        log::debug!(target: "tiles", "most bytes: {first}..{end}, {name}");
    }
    for group in &plan.groups {
        log::debug!(
            target: "tiles",
            "group {}..{}: {} bytes, {} tiled, {} hoisted, {} runs, {} tiles",
            group.operations.0, group.operations.1, group.peak.get(), group.tiled.len(),
            group.hoisted.len(), group.runs.len(), group.n_tiles(),
        );
        for stream in &group.streams {
            let buffer = &program.buffers[stream.buffer.index()];
            log::debug!(
                target: "tiles",
                "  {} {:?}: {} rows of {} bytes, {}", buffer.name, buffer.shape, stream.rows,
                buffer.rows_bytes(stream.dimension, 1).get(),
                if stream.is_result { "stored" } else { "loaded" },
            );
        }
        for takeover in &group.takeovers {
            let [result, operand] =
                [takeover.result, takeover.operand].map(|own| &program.buffers[own.index()].name);
            log::debug!(target: "tiles", "  {result} takes the place of {operand}");
        }
        for window in &group.windows {
            let buffer = &program.buffers[window.buffer.index()];
            log::debug!(
                target: "tiles",
                "  {} {:?}: {} rows of {} bytes, {} kept{}", buffer.name, buffer.shape,
                window.rows, buffer.rows_bytes(window.dimension, 1).get(), window.kept,
                if window.is_in_place { " in place" } else { "" },
            );
        }
    }
}
