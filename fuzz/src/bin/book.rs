//! Any bytes as an opening book: refused or used, and every move that comes of it is legal.
#![no_main]

#[path = "../../checks/book.rs"]
mod check_book;

use tamarin_game::book;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check_book::check(bytes));
