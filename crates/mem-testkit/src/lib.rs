//! Generators of problems and programs, and an oracle that executes planned programs. For tests
//! only. Everything is a function of a seed, so the seed that a failing test prints replays the
//! failure.

#![forbid(unsafe_code)]

mod cheapest;
mod cut;
mod demands;
mod dependence;
mod environment;
mod execute;
mod exhaustive;
mod functions;
mod least;
mod levels;
mod mlir;
mod orders;
mod pack;
mod problems;
mod programs;
mod recompute;
mod rng;

pub use cheapest::cheapest_level_plan;
pub use cut::cut_rectangle;
pub use demands::add_demands;
pub use dependence::{
    Features, Observer, Origin, Run, all_paths, observe, random_dependence_program,
};
pub use environment::{number, published_instances};
pub use execute::{Mismatch, execute};
pub use functions::{random_odd_function, random_offload_function};
pub use least::least_level_cost;
pub use levels::{
    engine, fast_and_slow, level, random_level_problem, random_repeatable,
    random_small_level_problem, reading, tensor, used,
};
pub use mlir::{
    MlirShape, mutated_mlir, random_exchanges, random_layers, random_mlir, random_sparse_layers,
};
pub use orders::{for_each_order, random_order_problem};
pub use pack::pack_tightly;
pub use problems::random_problem;
pub use programs::random_program;
pub use recompute::{least_recomputation, random_operation_graph};
pub use rng::Rng;
