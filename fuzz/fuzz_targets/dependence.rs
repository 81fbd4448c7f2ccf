//! Fuzzes the dependence analysis. The input determines a program and its executions, and the analysis
//! must report every dependence that an execution observes.
//!
//! Run it with `cargo +nightly fuzz run dependence`. docs/Dependence.md has more.

#![no_main]

#[path = "../../crates/mem-flow/tests/support/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|data: &[u8]| oracle::check_tape(data));
