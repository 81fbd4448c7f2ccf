//! Fuzzes programs in the text form of the model. Each input yields an error or a valid plan.
//!
//! Run it with `cargo +nightly fuzz run programs`.

#![no_main]

#[path = "../../crates/mem-plan/tests/support/inputs.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = inputs::check_programs(text);
});
