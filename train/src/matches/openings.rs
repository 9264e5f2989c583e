//! Where the games of a match begin.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_base::files::{Reader, Target};
use tamarin_movegen::{CastlingStyle, Position};

use super::player::Launch;
use crate::book::{self, BookError};
use crate::datagen::result;
use crate::report::report;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningsError {
    #[error("{path}")]
    Io {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("{program} makes no openings with genfens; give a book")]
    Genfens {
        /// The engine that was asked.
        program: String,
    },
}

/// The positions of a book, FEN or EPD, one a line, in an order that follows from the seed: each
/// once, without those in which the game is over.
pub(crate) fn read(path: &Path, seed: u64) -> Result<Vec<Position>, OpeningsError> {
    let mut openings = book::read(path, counted)?;
    let mut seen = HashSet::new();
    openings.retain(|position| result(position).is_none() && seen.insert(position.key()));
    if openings.is_empty() {
        return Err(BookError::Empty(path.to_owned()).into());
    }
    openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    Ok(openings)
}

/// The pairs of a match in which the same opening always gives the same games: at most one for each
/// opening, because games that are repeated say nothing new. If they are fewer than planned, this
/// is printed.
pub(crate) fn distinct_pairs(planned: usize, openings: &[Position]) -> usize {
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

/// Fields of a FEN at the beginning of a line: six if it has counters, else the four of an EPD.
fn counted(fields: &[&str]) -> usize {
    let is_number = |index: usize| fields.get(index).is_some_and(|f| f.parse::<u16>().is_ok());
    if is_number(4) && is_number(5) { 6 } else { fields.len().min(4) }
}

/// Lets the engine make openings (`genfens`) and writes them to a file.
pub(super) fn generate(
    engine: &Launch,
    count: usize,
    seed: u64,
    path: &Path,
) -> Result<(), OpeningsError> {
    let error = || OpeningsError::Genfens { program: engine.program.clone() };
    let request = format!("genfens {count} seed {seed} book None");
    let mut command = Command::new(&engine.program);
    command.args(&engine.arguments).args([request.as_str(), "quit"]);
    let output = command.output();
    let output = output.map_err(|_| error())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let fens: Vec<_> =
        text.lines().filter_map(|line| line.strip_prefix("info string genfens ")).collect();
    if fens.is_empty() {
        return Err(error());
    }
    write_lines(&fens, path)
}

/// Writes the positions to a file as [`fen`] gives them, one a line.
pub(super) fn write(
    positions: &[Position],
    variant: Variant,
    path: &Path,
) -> Result<(), OpeningsError> {
    let fens: Vec<_> = positions.iter().map(|position| fen(position, variant)).collect();
    write_lines(&fens, path)
}

fn write_lines<L: Borrow<str>>(lines: &[L], path: &Path) -> Result<(), OpeningsError> {
    let text = lines.join("\n") + "\n";
    let written =
        Target::of_program(path).and_then(|target| target.write(text.as_bytes(), Reader::There));
    written.map(drop).map_err(|source| OpeningsError::Io { path: path.to_owned(), source })
}

/// A FEN that any program reads in chess, or in Chess960.
pub(super) fn fen(position: &Position, variant: Variant) -> String {
    position.fen(match variant {
        Variant::Standard => CastlingStyle::Standard,
        Variant::Chess960 => CastlingStyle::Shredder,
    })
}

/// The rules of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Standard,
    /// Any start position; the king takes its rook to castle.
    Chess960,
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tamarin_movegen::Move;

    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tamarin-{name}-{}.epd", std::process::id()));
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn a_book_is_fen_or_epd() {
        let path = file(
            "book",
            "# comment\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a\";\n\n\
             4k3/4p3/8/8/8/8/8/4K3 b - - 3 40\n",
        );
        let mut fens: Vec<_> =
            read(&path, 1).unwrap().iter().map(|p| fen(p, Variant::Standard)).collect();
        fens.sort();
        assert_eq!(fens, ["4k3/4p3/8/8/8/8/8/4K3 b - - 3 40", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn positions_that_come_again_and_games_that_are_over_are_left_out() {
        let (open, mate) = ("4k3/8/8/8/8/8/4P3/4K3 w - -", "R3k3/8/4K3/8/8/8/8/8 b - -");
        let path = file(
            "distinct",
            &format!("{open}\n{mate}\n{open} bm e4;\n{open} 3 40\n4k3/8/8/8/8/8/8/4K3 w - -\n"),
        );
        let fens: Vec<_> = read(&path, 1).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(fens, [format!("{open} 0 1")]);
        fs::write(&path, format!("{mate}\n")).unwrap();
        let refused = read(&path, 1);
        assert!(matches!(refused, Err(OpeningsError::Book(BookError::Empty(_)))), "{refused:?}");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn the_order_follows_from_the_seed() {
        let start = Position::startpos();
        let after = |mv: &Move| {
            let mut position = start.clone();
            position.make(*mv);
            position.to_string()
        };
        let lines: Vec<_> = start.legal_moves().iter().map(after).collect();
        let path = file("order", &lines.join("\n"));
        let order = |seed| -> Vec<_> {
            read(&path, seed).unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        fs::remove_file(&path).unwrap();
    }
}
