//! Any bytes as an opening book: refused or used, and every move that comes of it is legal.
#![no_main]
#![allow(dead_code, reason = "the engine uses the rest of the format")]

#[path = "../../../engine/src/book"]
mod book {
    mod choose;
    pub mod entry;
    mod file;
    mod key;
    mod random_table;

    pub use self::choose::{Choice, Seed, choose};
    pub use self::file::Book;
    pub use self::key::key;
}

#[path = "../../checks/book.rs"]
mod check_book;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_book::check(bytes));
