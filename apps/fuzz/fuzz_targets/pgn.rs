//! Any bytes as games in PGN: each is cut out whole, and read or refused.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the engine uses the rest of these files")]

#[path = "../../src/book"]
mod book {
    pub mod entry;
    mod key;
    pub mod make {
        pub mod pgn;
    }
    mod random_table;

    pub use self::key::key;
}

#[path = "../../src/pgn/mod.rs"]
mod pgn;

#[path = "../check_pgn.rs"]
mod check_pgn;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_pgn::check(bytes));
