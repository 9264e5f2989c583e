//! Where games begin: books of positions, and [`random`] openings.

pub mod random;

use std::collections::HashSet;
use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_base::files::read_stream_text;
use tamarin_movegen::Position;

use crate::data::MAX_MEBIBYTES;
use crate::error::{Context, Result, reject};
use crate::report::report;

/// The positions of a book: FEN, or EPD with or without operations, one a line; with the counters
/// of a FEN or without.
pub fn book(path: &Path, with_counters: bool) -> Result<Vec<Position>> {
    let text = read_stream_text(path, MAX_MEBIBYTES).context(path.display())?;
    let mut book = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<_> = line.split_whitespace().collect();
        if fields.is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let is_number = |index: usize| fields.get(index).is_some_and(|f| f.parse::<u16>().is_ok());
        let has_counters = with_counters && is_number(4) && is_number(5);
        let count = if has_counters { 6 } else { fields.len().min(4) };
        let position = Position::from_fen(&fields[..count].join(" "));
        book.push(position.context(format_args!("{}, line {}", path.display(), index + 1))?);
    }
    not_empty(book, path)
}

fn not_empty(book: Vec<Position>, path: &Path) -> Result<Vec<Position>> {
    if book.is_empty() {
        reject!("{} holds no position to begin a game with", path.display());
    }
    Ok(book)
}

/// The positions of a book in an order that follows from the seed: each once, without those in
/// which the game is over.
pub fn shuffled(path: &Path, seed: u64) -> Result<Vec<Position>> {
    let mut openings = book(path, true)?;
    let mut seen = HashSet::new();
    let is_over = |position: &Position| position.outcome_with_claims().is_some();
    openings.retain(|position| !is_over(position) && seen.insert(position.key()));
    openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    not_empty(openings, path)
}

/// The pairs of a match in which the same opening always gives the same games: at most one for each
/// opening, because games that are repeated say nothing new. If they are fewer than planned, this
/// is printed.
pub fn distinct_pairs(planned: usize, openings: &[Position]) -> usize {
    let pairs = planned.min(openings.len());
    if pairs < planned {
        report!(
            "{} games are played instead of {}, two for each opening: by nodes and with one thread, \
             an opening that comes again repeats its games",
            2 * pairs,
            2 * planned,
        );
    }
    pairs
}
