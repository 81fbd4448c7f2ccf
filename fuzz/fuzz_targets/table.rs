//! Fuzzes tables of buffers in CSV. Each input yields an error or a valid plan.
//!
//! Run it with `cargo +nightly fuzz run table`.

#![no_main]

#[path = "../../crates/mem-plan/tests/support/inputs.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = inputs::check_table(text);
});
