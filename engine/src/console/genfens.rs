//! `genfens`: openings for the games from which training data are made, as OpenBench asks.

use std::fs;
use std::io;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::{CastlingStyle, Position};
use tamarin_search::{Collector, Idle, Limits, SearchOptions, StartError};
use tamarin_uci::GenFens;

use super::context::Context;

/// Random plies from the start position; every other opening has one more, so that both sides
/// are to move equally often.
const PLIES: usize = 8;

/// Random plies from a position of a book, which is a few moves old already.
const PLIES_AFTER_BOOK: usize = 4;

/// An opening whose score is further from zero is as good as decided.
const MOST_CENTIPAWNS: i32 = 250;

/// Nodes spent on finding that out.
const NODES: u64 = 2_000;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
enum GenFensError {
    #[error("cannot read {path}: {source}")]
    Book { path: String, source: io::Error },
    #[error("{path} has no line that is a position")]
    Empty { path: String },
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Prints `count` openings, each as `info string genfens FEN`.
pub fn run(request: &GenFens, context: &Context<'_>) {
    if let Err(error) = generate(request, context) {
        context.print(&format!("info string error: genfens: {error}"));
    }
}

fn generate(request: &GenFens, context: &Context<'_>) -> Result<(), GenFensError> {
    let book = match &request.book {
        Some(path) => read(path)?,
        None => vec![Position::startpos()],
    };
    let plies = if request.book.is_some() { PLIES_AFTER_BOOK } else { PLIES };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(request.seed);
    let mut idle = Idle::new()?;
    for index in 0..request.count {
        let opening = loop {
            let start = &book[below(&mut random, book.len())];
            let Some(position) = walk(start, plies + index as usize % 2, &mut random) else {
                continue;
            };
            let (after, level) = is_level(idle, &position);
            idle = after;
            if level {
                break position;
            }
        };
        context.print(&format!("info string genfens {}", opening.fen(CastlingStyle::Standard)));
    }
    Ok(())
}

/// The positions of a file with one FEN or EPD a line; lines that are none are passed over.
fn read(path: &str) -> Result<Vec<Position>, GenFensError> {
    let text = fs::read_to_string(path)
        .map_err(|source| GenFensError::Book { path: path.to_owned(), source })?;
    let position = |line: &str| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let counted =
            fields.len() >= 6 && fields[4..6].iter().all(|word| word.parse::<u32>().is_ok());
        let used = if counted { 6 } else { fields.len().min(4) };
        Position::from_fen(&fields[..used].join(" ")).ok()
    };
    let positions: Vec<_> = text.lines().filter_map(position).collect();
    if positions.is_empty() {
        Err(GenFensError::Empty { path: path.to_owned() })
    } else {
        Ok(positions)
    }
}

/// So many random moves from `start`; `None` if the game ends on the way.
fn walk(start: &Position, plies: usize, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.make(moves[below(random, moves.len())]);
    }
    position.forget_history();
    position.has_legal_move().then_some(position)
}

/// Is the game still open? A fresh table for each question, so that the answer depends on nothing
/// but the position.
fn is_level(mut idle: Idle, position: &Position) -> (Idle, bool) {
    idle.new_game();
    let collector = Collector::new();
    let limits = Limits::nodes(NODES);
    let running = idle.go(position, limits, &SearchOptions::default(), collector.observer());
    let idle = running.wait();
    let level = collector.best().is_some_and(|best| match best.score.to_uci() {
        tamarin_eval::UciScore::Centipawns(value) => value.abs() <= MOST_CENTIPAWNS,
        _ => false,
    });
    (idle, level)
}

/// A number in `0..bound`, all equally likely as far as 64 bits allow.
fn below(random: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    let product = u128::from(random.next_u64()) * bound as u128;
    usize::try_from(product >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{below, walk};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use tamarin_movegen::Position;

    #[test]
    fn numbers_cover_their_range_and_repeat_with_their_seed() {
        let draw = |seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            (0..200).map(|_| below(&mut random, 7)).collect::<Vec<_>>()
        };
        let drawn = draw(1);
        assert!((0..7).all(|number| drawn.contains(&number)));
        assert!(drawn.iter().all(|number| *number < 7));
        assert_eq!(drawn, draw(1));
        assert_ne!(drawn, draw(2));
    }

    #[test]
    fn a_walk_ends_where_the_game_does() {
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        assert!(walk(&mated, 5, &mut random).is_none());
    }
}
