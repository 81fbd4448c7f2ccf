//! `mem-opt`: the MLIR side of the memory planner. The crate contains passes that extract the
//! planner's model from IR, plan, check, and write the plan back to IR, and their registration with
//! MLIR for `mem-opt` itself, for the plugin, and for compilers that link this crate.
//!
//! A pass has four phases: extract, plan, check, materialize. Planning and checking work on the
//! model only and see no MLIR handle, and no handle outlives one run of a pass.

mod analyze;
mod capi;
mod extract;
mod framework;
mod host;
#[doc(hidden)]
pub mod internals;
mod ir;
mod lower;
mod optimize;
mod pipelines;
mod plan;
mod plugin;
mod print;
mod table;

pub use extract::chains;
pub use ir::dialect;

pub use capi::{
    memOptAnalyzeDependence, memOptDependenceDestroy, memOptDependenceGetNumAccesses,
    memOptDependenceGetNumReaders, memOptDependenceGetNumSources, memOptDependenceGetOperand,
    memOptDependenceGetOperation, memOptDependenceGetReader, memOptDependenceGetSource,
    memOptDependenceIsDead, memOptDependenceIsDefinition,
};
pub use plugin::{
    memOptRegisterPasses, mlirGetDialectHandle__mem__, mlirGetDialectPluginInfo,
    mlirGetPassPluginInfo, register_dialect,
};
pub use table::register_passes;
