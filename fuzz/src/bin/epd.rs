//! Any bytes as a file of positions: each line is read or refused, and a table of it is printed.
#![no_main]

use tamarin_analysis::suite;

#[path = "../../checks/epd.rs"]
mod check_epd;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_epd::check(bytes));
