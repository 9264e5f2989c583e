//! Any bytes as a tablebase file: left out or probed, and searches give legal moves.
#![no_main]

#[path = "../../checks/syzygy.rs"]
mod check_syzygy;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_syzygy::check(bytes));
