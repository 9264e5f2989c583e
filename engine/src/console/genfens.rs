//! `genfens`: openings for the games from which training data are made, as OpenBench asks.

use std::fs::File;
use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::path::Path;

use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_base::files::lines::{Line, next_line};
use tamarin_base::files::open_plain;
use tamarin_eval::ScoreValue;
use tamarin_game::epd::opening;
use tamarin_movegen::{CastlingStyle, Position};
use tamarin_search::{Engine, Limits, SearchOptions, Silent, StartError};
use tamarin_uci::GenFens;

use super::Context;

/// Random plies from the start position; every other opening has one more, so that both sides
/// are to move equally often. Chosen, not measured; engines commonly use 6 to 10.
const PLIES: usize = 8;

/// Random plies from a position of a book, which is several moves into the game already.
/// Chosen, not measured.
const PLIES_AFTER_BOOK: usize = 4;

/// The largest score of an opening for either side, in centipawns: in the model of
/// `UCI_ShowWDL` the side ahead wins nine of ten games from 250. Chosen, not measured.
const MAX_CENTIPAWNS: i32 = 250;

/// Nodes of the search that gives this score: about a millisecond. Chosen, not measured.
const NODES: u64 = 2_000;

/// So many openings in a row may be rejected: a book may have none that is nearly equal.
const TRIES: usize = 10_000;

/// The largest book, in bytes: 1 GiB, more than any in use.
const MAX_BYTES: u64 = 1 << 30;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum GenFensError {
    #[error("cannot read {path}: {source}")]
    Book { path: String, source: io::Error },
    #[error("{path} has no line that is a position")]
    Empty { path: String },
    #[error("no nearly equal opening in {TRIES} tries")]
    Unequal,
    /// There is no engine to evaluate the openings.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Prints the openings asked for, each as `info string genfens FEN`.
pub fn run(request: &GenFens, context: &Context<'_>) -> Result<(), GenFensError> {
    let mut book = match &request.book {
        Some(path) => Book::open(path)?,
        None => Book::none(),
    };
    let plies = if request.book.is_some() { PLIES_AFTER_BOOK } else { PLIES };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(request.seed);
    let mut engine = Engine::new()?;
    for index in 0..request.count {
        let opening = find(&mut book, plies + index as usize % 2, &mut random, &mut engine)?;
        context.print(&format!("info string genfens {}", opening.fen(CastlingStyle::Standard)));
    }
    Ok(())
}

/// A position so many random plies after one of the book, in which neither side is far ahead.
fn find(
    book: &mut Book,
    plies: usize,
    random: &mut Xoshiro256PlusPlus,
    engine: &mut Engine,
) -> Result<Position, GenFensError> {
    for _ in 0..TRIES {
        let start = book.choose(random)?;
        let position = start.and_then(|start| play_randomly(&start, plies, random));
        if let Some(position) = position
            && is_balanced(engine, &position)
        {
            return Ok(position);
        }
    }
    Err(GenFensError::Unequal)
}

/// The positions from which openings begin. Of a file only the places of its lines are kept: books
/// have millions.
struct Book {
    path: String,
    /// Without a file the only position is that of the start.
    file: Option<BufReader<File>>,
    /// Where the lines begin that are positions.
    lines: Vec<u64>,
}

impl Book {
    fn none() -> Self {
        Self { path: String::new(), file: None, lines: vec![0] }
    }

    /// A file with one [`opening`] a line; other lines are skipped.
    fn open(path: &str) -> Result<Self, GenFensError> {
        let path = path.to_owned();
        match Self::index(Path::new(&path)) {
            Ok((_, lines)) if lines.is_empty() => Err(GenFensError::Empty { path }),
            Ok((file, lines)) => Ok(Self { path, file: Some(file), lines }),
            Err(source) => Err(GenFensError::Book { path, source }),
        }
    }

    /// The file, and where its lines begin that are positions.
    fn index(path: &Path) -> io::Result<(BufReader<File>, Vec<u64>)> {
        let file = open_plain(path)?;
        if file.metadata()?.len() > MAX_BYTES {
            let text = format!("it is larger than {} MiB", MAX_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        let mut file = BufReader::new(file);
        let mut lines = Vec::new();
        loop {
            let begin = file.stream_position()?;
            match next_line(&mut file)? {
                None => return Ok((file, lines)),
                Some(line) if position(&line).is_some() => lines.push(begin),
                Some(_) => {}
            }
        }
    }

    /// One of the positions; `None` if the file has changed and there is another line now.
    fn choose(
        &mut self,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<Position>, GenFensError> {
        let begin = *self.lines.choose(random).expect("invariant: a book has a position");
        let Some(file) = &mut self.file else { return Ok(Some(Position::startpos())) };
        let line = file.seek(SeekFrom::Start(begin)).and_then(|_| next_line(file));
        let line = line.map_err(|source| GenFensError::Book { path: self.path.clone(), source })?;
        Ok(line.as_ref().and_then(position))
    }
}

/// The position of a line.
fn position(line: &Line) -> Option<Position> {
    let Line::Text(text) = line else { return None };
    opening(text).ok()
}

/// The position after `plies` random moves from `start`; `None` if the game ends before or there.
fn play_randomly(
    start: &Position,
    plies: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..plies {
        let mv = *position.legal_moves().choose(random)?;
        position.make(mv);
    }
    position.clear_undo();
    position.has_legal_move().then_some(position)
}

/// Whether neither side is far ahead. Each position is searched with an empty table, so that the
/// answer depends on nothing but the position.
fn is_balanced(engine: &mut Engine, position: &Position) -> bool {
    engine.new_game();
    let options = SearchOptions::default();
    let best = engine.search(position, Limits::nodes(NODES), &options, Box::new(Silent));
    match best.score.to_uci() {
        ScoreValue::Centipawns(value) => value.abs() <= MAX_CENTIPAWNS,
        ScoreValue::Mate(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, play_randomly, position};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use tamarin_movegen::Position;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_position() {
        let start = Position::startpos();
        for mark in ["", "\u{feff}"] {
            let found = position(&Line::Text(format!("{mark}{start} id \"start\";")));
            assert_eq!(found.map(|found| found.key()), Some(start.key()), "{mark:?}");
        }
    }

    #[test]
    fn a_game_that_ends_on_the_way_gives_no_opening() {
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        assert!(play_randomly(&mated, 5, &mut random).is_none());
        assert!(play_randomly(&mated, 0, &mut random).is_none());
    }
}
