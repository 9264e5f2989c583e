//! Any bytes as a line of the XBoard protocol: never a panic, and every promise kept.
#![no_main]

#[path = "../../checks/xboard.rs"]
mod check_xboard;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_xboard::check(bytes));
