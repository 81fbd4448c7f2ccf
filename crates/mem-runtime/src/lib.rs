//! Run-time support for planned programs.
//!
//! A transfer between levels is a ticket: `begin` hands the transfer to a copy engine and returns
//! immediately, `wait` returns when the transfer is complete. Each engine is a thread that copies
//! in FIFO order, as fast as memory, or no faster than the engine that it models. Waiting for a
//! ticket waits for all earlier copies on its engine, and for nothing else.
//!
//! [`c_abi`] has the functions that generated code calls;
//! `convert-mem-to-memref{transfers=runtime}` generates the calls.

pub mod c_abi;
mod engines;
mod passive;

pub use engines::{Copied, CopyError, Engines, Rate, Ticket, Usage};
pub use passive::{PassiveModeError, Trace, Traced, TracedStep, TracedTensor};
