//! Any bytes as a line of an engine: never a panic, and every promise of the crate kept.
#![no_main]

#[path = "../../checks/reply.rs"]
mod check_reply;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_reply::check(bytes));
