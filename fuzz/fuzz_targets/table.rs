//! Tables of buffers as CSV: `cargo +nightly fuzz run table`; an error, or a plan that holds.

#![no_main]

#[path = "../../crates/mem-plan/tests/support/inputs.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = inputs::check_table(text);
});
