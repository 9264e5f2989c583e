//! Any bytes as games in PGN: each is cut out whole, and read or refused.
#![no_main]

use tamarin_analysis::book;

#[path = "../../checks/pgn.rs"]
mod check_pgn;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_pgn::check(bytes));
