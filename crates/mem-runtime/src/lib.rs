//! What planned programs call while they run.
//!
//! A transfer between levels is a ticket: `begin` hands it to a copy engine and returns, `wait` returns when it is done.
//! Each engine is a thread that makes one copy after the other in the order in which they began, as fast as memory is, or no faster than
//! the engine that it stands for. Waiting for a ticket waits for all that began before it on its engine, and for
//! nothing else.
//!
//! [`c_abi`] has the functions that generated code calls; `convert-mem-to-memref{transfers=runtime}` writes the calls.

pub mod c_abi;
mod engines;
mod passive;

pub use engines::{Copied, CopyError, Engines, Rate, Ticket, Usage};
pub use passive::{Trace, Traced, TracedStep, TracedTensor};
