//! Any bytes as a saved hash table: refused, or searches go on with it.
#![no_main]

#[path = "../../checks/hash.rs"]
mod check_hash;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_hash::check(bytes));
