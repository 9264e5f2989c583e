//! Any bytes as a line of input: never a panic, and every promise of the crate kept.
#![no_main]

#[path = "../../checks/line.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes));
