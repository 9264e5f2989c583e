//! Any bytes as a network file: refused, or it evaluates.
#![no_main]

#[path = "../../checks/network.rs"]
mod check_network;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_network::check(bytes));
