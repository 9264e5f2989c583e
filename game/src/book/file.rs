//! Books in memory, and reading them from files.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

use tamarin_base::files::read_plain;
use tamarin_movegen::{Move, Position};

use super::entry::{ENTRY_SIZE, Entry};
use super::key::key;

/// The largest file that is read, in MiB: more than any book in use.
pub const MAX_MEBIBYTES: u64 = 256;

/// Entries of one position that are read; no position has 512 moves. A file that says
/// the same position again and again costs no more time than this.
const MAX_ENTRIES: usize = 512;

/// Why a file is no book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is text, such as games in PGN.
    #[error("it is text, no Polyglot book; `tamarin book make` makes one from games")]
    Text,
    /// It has no entry.
    #[error("it is empty")]
    Empty,
    /// It ends within an entry.
    #[error("its size of {bytes} bytes is not a multiple of {ENTRY_SIZE}")]
    Size {
        /// Its size.
        bytes: usize,
    },
    /// Its entries are not sorted by key.
    #[error("it is not sorted: entry {entry} has a smaller key than the one before")]
    Unsorted {
        /// The first entry out of order, from 1.
        entry: usize,
    },
}

/// A Polyglot book: entries sorted by key.
#[derive(Clone, Debug)]
pub struct Book {
    /// At least one entry, and nothing but whole ones.
    bytes: Cow<'static, [u8]>,
}

/// A legal move of a position in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, legal in the position.
    pub mv: Move,
    /// Its weight compared with the other moves; 0 is never played.
    pub weight: u16,
    /// What programs that learn keep in the entry.
    pub learn: u32,
}

impl Book {
    /// The book that is part of this program, made from its own games (`game/book/README.md`).
    pub fn built_in() -> &'static Self {
        static BOOK: LazyLock<Book> = LazyLock::new(|| {
            let bytes: &'static [u8] = include_bytes!("../../book/tamarin.bin");
            Book::new(bytes).expect("invariant: a test reads this book")
        });
        &BOOK
    }

    /// Reads the book at `path` into memory, where it does not mind what happens to the file.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        Self::new(read_plain(path, MAX_MEBIBYTES)?)
    }

    /// The book with these bytes.
    pub fn new(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, BookError> {
        let bytes = bytes.into();
        match Self::fault(&bytes) {
            Some(_) if is_text(&bytes) => Err(BookError::Text),
            Some(error) => Err(error),
            None => Ok(Self { bytes }),
        }
    }

    /// Why bytes are no book.
    fn fault(bytes: &[u8]) -> Option<BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_SIZE>();
        if !rest.is_empty() {
            return Some(BookError::Size { bytes: bytes.len() });
        }
        if entries.is_empty() {
            return Some(BookError::Empty);
        }
        let key = |entry: &[u8; ENTRY_SIZE]| Entry::from_bytes(entry).key;
        let unsorted = entries.windows(2).position(|pair| key(&pair[0]) > key(&pair[1]))?;
        Some(BookError::Unsorted { entry: unsorted + 2 })
    }

    /// All entries as in the file, sorted by key.
    fn chunks(&self) -> &[[u8; ENTRY_SIZE]] {
        self.bytes.as_chunks().0
    }

    /// All entries, sorted by key.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.chunks().iter().map(Entry::from_bytes)
    }

    /// The entries of a position's key, in the order of the file; their moves need not be legal.
    pub fn find(&self, key: u64) -> impl Iterator<Item = Entry> + '_ {
        let begin = self.chunks().partition_point(|entry| Entry::from_bytes(entry).key < key);
        self.chunks()[begin..]
            .iter()
            .map(Entry::from_bytes)
            .take_while(move |entry| entry.key == key)
    }

    /// The legal moves that the book has for a position, in the order of the file; of a move that
    /// is there twice the first, and of more than 512 entries those.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in self.find(key(position)).take(MAX_ENTRIES) {
            if let Some(mv) = entry.code.resolve(position)
                && moves.iter().all(|other| other.mv != mv)
            {
                moves.push(BookMove { mv, weight: entry.weight, learn: entry.learn });
            }
        }
        moves
    }
}

/// Returns `true` if a file begins with nothing but letters and signs of ASCII, as hardly any entries
/// do.
pub fn is_text(bytes: &[u8]) -> bool {
    let is_sign = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    !bytes.is_empty() && bytes.iter().take(4 * ENTRY_SIZE).all(is_sign)
}

#[cfg(test)]
mod tests {
    use super::{Book, BookError, Entry};
    use crate::book::entry::MoveCode;
    use crate::book::key;
    use tamarin_movegen::Position;

    fn entry(key: u64, code: u16, weight: u16) -> Entry {
        Entry { key, code: MoveCode(code), weight, learn: 0 }
    }

    fn bytes(entries: &[Entry]) -> Vec<u8> {
        entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// The code of a move of the start position.
    fn code(san: &str) -> u16 {
        MoveCode::of(Position::startpos().parse_san(san).unwrap()).0
    }

    #[test]
    fn every_position_is_found_wherever_it_lies() {
        let entries: Vec<Entry> =
            [0, 0, 3, 5, 5, 5, 9, u64::MAX].map(|key| entry(key, 1, 1)).to_vec();
        let book = Book::new(bytes(&entries)).unwrap();
        let counts: Vec<usize> =
            [0, 1, 3, 4, 5, 9, 10, u64::MAX].map(|key| book.find(key).count()).to_vec();
        assert_eq!(counts, [2, 0, 1, 0, 3, 1, 0, 1]);
    }

    #[test]
    fn moves_are_legal_and_there_once() {
        let start = Position::startpos();
        let here = key(&start);
        let list = [
            entry(here - 1, code("a4"), 9),
            entry(here, code("e4"), 3),
            entry(here, 0, 5),           // a1a1
            entry(here, 0xffff, 5),      // no promotion of that kind
            entry(here, code("e4"), 7),  // again
            entry(here, 4 << 6 | 7, 50), // castling that is not legal yet
            entry(here, code("d4"), 0),
            entry(here + 1, code("h4"), 9),
        ];
        let book = Book::new(bytes(&list)).unwrap();
        let found: Vec<_> = book
            .moves(&start)
            .iter()
            .map(|found| (start.san(found.mv).to_string(), found.weight))
            .collect();
        assert_eq!(found, [("e4".to_owned(), 3), ("d4".to_owned(), 0)]);
    }

    #[test]
    fn a_position_repeated_without_end_costs_little() {
        let start = Position::startpos();
        let mut list = vec![entry(key(&start), 0, 1); super::MAX_ENTRIES - 1];
        list.push(entry(key(&start), code("e4"), 1));
        list.push(entry(key(&start), code("d4"), 1));
        let moves = Book::new(bytes(&list)).unwrap().moves(&start);
        assert_eq!(moves.len(), 1, "{moves:?}");
        assert_eq!(start.san(moves[0].mv).to_string(), "e4");
    }

    #[test]
    fn what_is_no_book_is_refused() {
        let good = bytes(&[entry(1, 1, 1), entry(1, 2, 1), entry(2, 1, 1)]);
        assert_eq!(Book::new(good.clone()).unwrap().entries().count(), 3);
        assert!(matches!(Book::new(Vec::new()), Err(BookError::Empty)));
        for length in (0..good.len()).filter(|length| length % 16 != 0) {
            let cut = Book::new(good[..length].to_vec());
            assert!(matches!(cut, Err(BookError::Size { bytes }) if bytes == length));
        }
        let unsorted = bytes(&[entry(1, 1, 1), entry(3, 1, 1), entry(2, 1, 1), entry(1, 1, 1)]);
        let found = Book::new(unsorted);
        assert!(matches!(found, Err(BookError::Unsorted { entry: 3 })), "{found:?}");
    }
}
