//! Any bytes as a variant file with a FEN: never a panic, and every promise of the crate kept.
#![no_main]

#[path = "../../checks/variant.rs"]
mod check_variant;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_variant::check(bytes));
