//! Passes that plan: they decide where each tensor lives and write the plan to the IR.

mod levels;
pub(crate) mod mem_assign_levels;
pub(crate) mod mem_break_plan;
pub(crate) mod mem_narrow;
pub(crate) mod mem_offload;
pub(crate) mod mem_offload_streams;
pub(crate) mod mem_overlap_requests;
pub(crate) mod mem_plan;
pub(crate) mod mem_reorder;
pub(crate) mod mem_tile;
mod objective;
mod rotate;
mod spaces;
mod tiled;
mod written;
