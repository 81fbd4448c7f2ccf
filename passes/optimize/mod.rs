//! Passes that remove redundant accesses, copies and bytes before planning.

mod constants;
mod forward;
pub(crate) mod mem_cse;
pub(crate) mod mem_dead_iteration_elimination;
pub(crate) mod mem_dead_store_elimination;
pub(crate) mod mem_forward_stores;
pub(crate) mod mem_inline;
pub(crate) mod mem_remove_copies;
pub(crate) mod mem_split_buffers;
mod strided;
mod written;
