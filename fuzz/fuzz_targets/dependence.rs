//! Programs whose choices a fuzzer makes: what an execution sees, the dependence analysis must know.
//! `cargo +nightly fuzz run dependence`; docs/Dependence.md has more.

#![no_main]

#[path = "../../crates/mem-flow/tests/support/oracle.rs"]
mod oracle;

libfuzzer_sys::fuzz_target!(|data: &[u8]| oracle::check_tape(data));
