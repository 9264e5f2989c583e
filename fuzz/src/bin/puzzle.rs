//! Any bytes as a file of puzzles: each line is one or is reported, and what is read can be solved.
#![no_main]
#![allow(dead_code, reason = "the game uses more of these files")]

#[path = "../../checks/puzzle.rs"]
mod check_puzzle;
#[path = "../../puzzles.rs"]
mod puzzles;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_puzzle::check(bytes));
