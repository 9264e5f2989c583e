//! `tamarin book check`.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tamarin_movegen::Position;

use super::BAD;
use crate::error::Error;
use tamarin_base::files::read_plain;
use tamarin_game::book::Book;
use tamarin_game::book::entry::{ENTRY_SIZE, Entry};
use tamarin_game::book::file::{BookError, MAX_MEBIBYTES, is_text};
use tamarin_game::book::key;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The book
    file: PathBuf,
}

/// What was counted in a book.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Counts {
    entries: usize,
    positions: usize,
    /// Positions that games from the start position lead to.
    reached: usize,
    /// Entries of these positions.
    moves_reached: usize,
    /// Entries with a weight of 0, which are never played.
    weightless: usize,
    /// Entries with something in the field `learn`.
    learned: usize,
    /// Bytes behind the last entry.
    rest: usize,
    /// Entries with a smaller key than the one before.
    unsorted: usize,
    /// Entries with the key and the move of an earlier one.
    duplicates: usize,
    /// Entries of positions reached whose move is not legal there.
    illegal: usize,
}

impl Counts {
    const fn faults(&self) -> usize {
        self.rest + self.unsorted + self.duplicates + self.illegal
    }
}

/// Prints what is in the book.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let path = &arguments.file;
    let bytes = read_plain(path, MAX_MEBIBYTES)
        .map_err(|source| Error::Book { path: path.clone(), source: source.into() })?;
    if is_text(&bytes) {
        return Err(Error::Book { path: path.clone(), source: BookError::Text });
    }
    let counts = count(bytes);
    let mut output = io::stdout().lock();
    for (what, count) in [
        ("entries", counts.entries),
        ("positions", counts.positions),
        ("positions reached from the start", counts.reached),
        ("moves in these", counts.moves_reached),
        ("moves of weight 0, never played", counts.weightless),
        ("entries with learned data", counts.learned),
        ("FAULT: bytes behind the last entry", counts.rest),
        ("FAULT: entries out of order", counts.unsorted),
        ("FAULT: moves that are there twice", counts.duplicates),
        ("FAULT: moves that are not legal", counts.illegal),
    ] {
        if count > 0 || !what.starts_with("FAULT") {
            writeln!(output, "{count:>10} {what}")?;
        }
    }
    if counts.entries == 0 {
        writeln!(output, "empty")?;
    }
    let good = counts.faults() == 0 && counts.entries > 0;
    writeln!(output, "{}", if good { "no faults" } else { "faulty" })?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(BAD) })
}

/// Counts a book in any state. Legality is only known for positions that games can be followed to.
fn count(mut bytes: Vec<u8>) -> Counts {
    let rest = bytes.len() % ENTRY_SIZE;
    bytes.truncate(bytes.len() - rest);
    let chunks: &mut [[u8; ENTRY_SIZE]] = bytes.as_chunks_mut().0;
    let mut counts = Counts { entries: chunks.len(), rest, ..Counts::default() };
    counts.unsorted = chunks.windows(2).filter(|pair| key_of(&pair[1]) < key_of(&pair[0])).count();
    // The order of big-endian bytes is that of key and move.
    chunks.sort_unstable();
    for entry in chunks.iter().map(Entry::from_bytes) {
        counts.weightless += usize::from(entry.weight == 0);
        counts.learned += usize::from(entry.learn != 0);
    }
    let same_key = chunks.windows(2).filter(|pair| key_of(&pair[0]) == key_of(&pair[1])).count();
    counts.positions = counts.entries - same_key;
    counts.duplicates = chunks.windows(2).filter(|pair| pair[0][..10] == pair[1][..10]).count();
    if let Ok(book) = Book::new(bytes) {
        follow(&book, &mut counts);
    }
    counts
}

fn key_of(chunk: &[u8; ENTRY_SIZE]) -> u64 {
    Entry::from_bytes(chunk).key
}

/// Follows all games from the start position: by any move into a position of the book, and by a
/// move of the book and any answer, because a book made for one side has no moves for the other.
fn follow(book: &Book, counts: &mut Counts) {
    let mut seen = HashSet::new();
    let mut pending = Vec::new();
    let start = Position::startpos();
    if has(book, &start) {
        pending.push(start);
    } else {
        pending.extend(children(&start));
    }
    while let Some(position) = pending.pop() {
        let here = key(&position);
        if !has(book, &position) || !seen.insert(here) {
            continue;
        }
        counts.reached += 1;
        let moves: Vec<_> = book.find(here).map(|entry| entry.code.resolve(&position)).collect();
        counts.moves_reached += moves.len();
        counts.illegal += moves.iter().filter(|mv| mv.is_none()).count();
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.make(mv);
            next.clear_undo();
            if has(book, &next) {
                pending.push(next);
            } else if moves.contains(&Some(mv)) {
                pending.extend(children(&next).filter(|answer| has(book, answer)));
            }
        }
    }
}

fn has(book: &Book, position: &Position) -> bool {
    book.find(key(position)).next().is_some()
}

/// The positions after each legal move.
fn children(position: &Position) -> impl Iterator<Item = Position> + '_ {
    position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.make(mv);
        next.clear_undo();
        next
    })
}

#[cfg(test)]
mod tests {
    use super::count;
    use tamarin_game::book::Book;
    use tamarin_game::book::entry::{Entry, MoveCode};
    use tamarin_game::book::key;
    use tamarin_movegen::Position;

    /// Entries with the last of these moves in the position after the others.
    fn entry(line: &str) -> [u8; 16] {
        let mut position = Position::startpos();
        let moves: Vec<&str> = line.split(' ').collect();
        for san in &moves[..moves.len() - 1] {
            position.make(position.parse_san(san).unwrap());
        }
        let code = MoveCode::of(position.parse_san(moves[moves.len() - 1]).unwrap());
        Entry { key: key(&position), code, weight: 1, learn: 0 }.to_bytes()
    }

    fn book(entries: &[[u8; 16]]) -> Vec<u8> {
        let mut entries = entries.to_vec();
        entries.sort_unstable();
        entries.concat()
    }

    #[test]
    fn games_are_followed_through_answers_that_the_book_does_not_have() {
        // Moves of White only; the last one cannot be reached, for 1. d4 is no move of the book.
        let lines = ["e4", "e4 e5 Nf3", "e4 c5 Nf3", "e4 e5 Nf3 Nc6 Bb5", "d4 a5 e4"];
        let found = count(book(&lines.map(entry)));
        assert_eq!((found.entries, found.positions), (5, 5));
        assert_eq!((found.reached, found.moves_reached, found.faults()), (4, 4, 0));
        // A book for Black has nothing for the start position.
        let found = count(book(&["e4 e5", "d4 d5"].map(entry)));
        assert_eq!(found.reached, 2);
    }

    #[test]
    fn the_built_in_book_has_no_faults() {
        let bytes: Vec<u8> = Book::built_in().entries().flat_map(Entry::to_bytes).collect();
        assert!(bytes.len() <= 64 << 10);
        let found = count(bytes);
        assert_eq!(found.faults(), 0, "{found:?}");
        // Of positions reached by several ways some have no way with moves of the book only.
        assert!(100 * found.reached >= 99 * found.positions, "{found:?}");
        assert_eq!(found.weightless, 0);
    }
}
