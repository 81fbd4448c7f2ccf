//! `mem-opt`: the MLIR side of the memory planner. The crate contains passes that extract the
//! planner's model from IR, plan, check, and write the plan back to IR, and their registration with
//! MLIR for `mem-opt` itself, for the plugin, and for compilers that link this crate.
//!
//! A pass has four phases: extract, plan, check, materialize. Planning and checking work on the
//! model only and see no MLIR handle, and no handle outlives one run of a pass.

mod capi;
pub mod chains;
mod constants;
mod convert_mem_to_memref;
mod convert_memref_to_mem;
mod dependence;
pub mod dialect;
mod example;
mod extract;
mod hierarchies;
pub mod interpret;
mod iteration;
mod mem_annotate_dependence;
mod mem_assign_levels;
mod mem_break_plan;
mod mem_check_reads;
mod mem_cse;
mod mem_dead_store_elimination;
mod mem_forward_stores;
mod mem_inline;
mod mem_lower_expand_shape;
mod mem_offload;
mod mem_plan;
mod mem_print_dependence;
mod mem_print_plan;
mod mem_print_tradeoff;
mod mem_record_accesses;
mod mem_remove_copies;
mod mem_snapshot;
mod mem_split_buffers;
mod mem_validate;
mod mem_verify_plan;
mod mlir;
mod pipelines;
mod plugin;
mod registry;
mod rewrite;
pub mod run;
mod strided;
pub mod tools;
mod validation;

pub use capi::{
    memOptAnalyzeDependence, memOptDependenceDestroy, memOptDependenceGetNumAccesses,
    memOptDependenceGetNumReaders, memOptDependenceGetNumSources, memOptDependenceGetOperand,
    memOptDependenceGetOperation, memOptDependenceGetReader, memOptDependenceGetSource,
    memOptDependenceIsDead, memOptDependenceIsDefinition,
};
pub use plugin::{
    memOptRegisterPasses, mlirGetDialectHandle__mem__, mlirGetDialectPluginInfo,
    mlirGetPassPluginInfo,
};
pub use registry::register_passes;
pub use tools::register_dialect;
