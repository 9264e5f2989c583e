//! Any bytes as lines of a peer: each is read or refused, and boards and moves are legal.
#![no_main]
#![allow(dead_code, reason = "the engine uses the rest of the protocol")]

#[path = "../../src/variant"]
mod variant {
    pub mod peer {
        pub mod board;
        pub mod message;
    }
}

#[path = "../check_peer.rs"]
mod check_peer;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_peer::check(bytes));
