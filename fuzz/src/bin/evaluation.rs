//! Any bytes as a learned evaluator.
#![no_main]

#[path = "../../checks/evaluation.rs"]
mod check_evaluation;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_evaluation::check(bytes));
