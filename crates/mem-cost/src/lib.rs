//! Evaluation of plans over several memory levels. Costs are in cycles of the machine that a
//! hierarchy describes.
//!
//! * [`serial_cost`] adds up computation, accesses and copies; the functions beside it price a
//!   single access or copy (`serial`).
//! * [`simulate`] runs copies concurrently with computation: a [`Schedule`] says when each step and
//!   each copy runs, and where control stalls (`schedule`).
//! * [`step_times`] runs messages to other ranks beside computation, without copies, and
//!   [`serial_waits`] says how long the serial model waits for them (`rank_links`).
//! * [`carrier`] says which link a message travels over (`routes`).
//! * [`Passive`] swaps tensors on demand, without knowledge of future accesses (`passive`).
//! * [`modelled_table`], [`passive_table`] and [`table_durations`] convert between step durations
//!   and access tables (`tables`).
//! * [`Occupancy`] counts the bytes of a level that a plan holds at each step, and [`tightest`] finds
//!   the fullest step (`occupancy`, `tightest`).
//! * [`decisions`] prices what happens to tensors that the device has no room for, and [`explain`]
//!   says what a plan loses in slow levels and in stalls (`decisions`, `explain`).
//!
//! The crate evaluates plans and makes none. `mem-check` does not depend on it: the checker states
//! its own costs, so that an error here cannot hide from it.

#![forbid(unsafe_code)]

mod decisions;
mod explain;
mod occupancy;
mod passive;
mod rank_links;
mod routes;
mod schedule;
mod serial;
mod tables;
mod tightest;

pub use decisions::{Decision, Way, decisions};
pub use explain::{Cause, Explanation, Overlap, Reason, explain};
pub use occupancy::Occupancy;
pub use passive::{Passive, PassiveCopy, PassiveError, PassiveTensor, PassiveUse};
pub use rank_links::{serial_waits, step_times};
pub use routes::{Traffic, carrier};
pub use schedule::{Schedule, ScheduledCopy, ScheduledTransfer, Span, simulate, step_cycles};
pub use serial::{
    access_cost, fastest_cycles, ideal_cycles, ideal_times, repeats_before, serial_cost,
    slowest_traffic, swap_cost, transfer_cost, transfer_cycles, transfer_repeats, use_cost,
};
pub use tables::{modelled_table, passive_table, table_durations};
pub use tightest::{Held, Tightest, tightest};
