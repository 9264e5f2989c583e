//! What must hold for a book file of any bytes. Shared by the fuzz target and the tests.

use tamarin_game::book::entry::{ENTRY_SIZE, Entry, MoveCode};
use tamarin_game::book::{Book, Seed, choose, key};
use tamarin_movegen::Position;

/// Plies that games are followed by the moves of the book.
const PLIES: u32 = 6;

/// Panics if using these bytes as a book breaks a promise.
pub fn check(bytes: &[u8]) {
    let entries: Vec<Entry> = bytes.as_chunks().0.iter().map(Entry::from_bytes).collect();
    let sorted = entries.is_sorted_by_key(|entry| entry.key);
    let whole = !bytes.is_empty() && bytes.len().is_multiple_of(ENTRY_SIZE);
    let Ok(book) = Book::new(bytes.to_vec()) else {
        assert!(!(sorted && whole), "a sound book is refused");
        return;
    };
    assert!(sorted && whole, "a faulty book is taken");
    for entry in &entries {
        assert!(book.find(entry.key).eq(with_key(&entries, entry.key)), "{:x}", entry.key);
    }
    let mut position = Position::startpos();
    for ply in 0..PLIES {
        let seed = Seed { seed: 1, game: ply };
        check_position(&book, &entries, &position, seed);
        let Some(hit) = choose(&book, &position, seed) else { return };
        position.make(hit.mv.mv);
    }
}

fn with_key(entries: &[Entry], key: u64) -> impl Iterator<Item = Entry> {
    entries.iter().copied().filter(move |entry| entry.key == key)
}

/// The moves for a position are the legal ones among its entries, each once; the move chosen is
/// one of them.
fn check_position(book: &Book, entries: &[Entry], position: &Position, seed: Seed) {
    let mut wanted: Vec<Entry> = Vec::new();
    for entry in with_key(entries, key(position)).take(512) {
        let legal = position.legal_moves().iter().any(|mv| MoveCode::of(*mv) == entry.code);
        if legal && wanted.iter().all(|other| other.code != entry.code) {
            wanted.push(entry);
        }
    }
    let moves = book.moves(position);
    let found = moves.iter().map(|one| (MoveCode::of(one.mv), one.weight, one.learn));
    assert!(found.eq(wanted.iter().map(|entry| (entry.code, entry.weight, entry.learn))));
    let Some(hit) = choose(book, position, seed) else { return };
    assert!(moves.contains(&hit.mv) && hit.mv.weight > 0, "{:?}", hit.mv);
    assert!(hit.weights >= u64::from(hit.mv.weight) && hit.moves <= moves.len());
    assert_eq!(choose(book, position, seed), Some(hit), "the same seed");
}
