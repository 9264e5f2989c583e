//! Any bytes as lines of a peer: each is read or refused, and boards and moves are legal.
#![no_main]

use tamarin_tools::variant;

#[path = "../../checks/peer.rs"]
mod check_peer;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_peer::check(bytes));
