//! Fuzzes tables of buffers in CSV. Each input yields an error or a valid plan.
//!
//! Run it with `cargo +nightly fuzz run table`.

#![no_main]

#[path = "../../crates/mem-plan/tests/support/inputs.rs"]
#[allow(dead_code, reason = "each target checks one kind of input")]
mod inputs;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = inputs::check_table(text);
});
