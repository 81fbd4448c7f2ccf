//! Plans memory for programs of tensors. There are five planners, each a module of its own, and
//! none depends on MLIR:
//!
//! * [`plan`] chooses an address for every buffer in one memory level, so that buffers that are
//!   live at once share no byte and the peak is low (`arena`, `docs/PlannerArena.md`).
//! * [`plan_levels_with`] chooses, over several memory levels, which level holds each tensor while
//!   each step runs, and the copies in between (`levels`, `docs/PlannerLevels.md`).
//! * [`plan_offload`] fits a program into the memory budget of a device: it chooses which tensors
//!   to recompute and which to swap to the host ([`plan_swaps`]), so that copies overlap
//!   computation (`offload`, `docs/PlannerOffload.md`).
//! * [`plan_order`] chooses the order in which steps run, so that fewer bytes are live at once
//!   (`order`).
//! * [`plan_tiles`] chooses groups of operations that run tile by tile, and their tiles (`tiles`,
//!   `docs/Tiles.md`).
//!
//! The rooms depend on each other in one direction: `offload` packs its tensors with `arena`, and
//! compares itself with the policies of `levels`. All are deterministic: equal problems,
//! options and seeds yield equal plans, on every machine and with any number of threads, unless a
//! time limit or [`observe::stop_searches`] ends a search. [`install_trace`] prints their decisions.

#![forbid(unsafe_code)]

mod arena;
mod components;
mod levels;
mod numbers;
pub mod observe;
mod offload;
mod order;
mod sparse_table;
mod spread;
mod tiles;
mod trace;

pub use arena::{
    Misplaced, NoFit, Occupant, PlanError, PlanOptions, Pressure, Progress, SizedPlan, Strategy,
    Watch, lower_bound, plan, plan_sizes, plan_watched, pressure, refit,
};
pub use levels::{
    CostModel, LevelAnswer, LevelNoFit, LevelPlanError, LevelPolicy, LevelStrategy, overlap,
    plan_for_comparison, plan_levels, plan_levels_auto, plan_levels_from, plan_levels_with,
};
pub use numbers::MAX_BYTES;
pub use offload::{
    Advice, Offload, OffloadPolicy, Repeatable, Repetition, Replays, WidestStep, execution_order,
    least_makespan, plan_offload, plan_offload_from, plan_repeated, plan_swaps, repeatable_again,
    repeated, widest_step, widths, with_repetitions,
};
pub use order::{OrderAim, OrderOptions, OrderPlan, order_excess, plan_order};
pub use spread::{Spread, UnknownSpread, spread};
pub use tiles::{
    Overlap, Refusal as TileRefusal, TileLimit, TileOptions, TilePlan, TileTarget, plan_tiles,
};
pub use trace::{TraceError, install_trace};
