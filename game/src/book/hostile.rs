//! Files of any bytes: what the fuzz targets check, for their corpora and for random files.

#[path = "../../../fuzz/checks/book.rs"]
mod check_book;

use super::Book;
use super::entry::Entry;
use crate::corpus::{damaged, replay};

#[test]
fn every_book_of_the_corpus_keeps_the_promises() {
    replay("../fuzz/corpus/book", check_book::check);
}

#[test]
fn damaged_books_keep_the_promises() {
    let good: Vec<u8> = Book::built_in().entries().take(64).flat_map(Entry::to_bytes).collect();
    damaged(&good, 2_000, check_book::check);
    let start: Vec<u8> = Book::built_in()
        .find(super::key(&tamarin_movegen::Position::startpos()))
        .flat_map(Entry::to_bytes)
        .collect();
    damaged(&start, 2_000, check_book::check);
}
