//! Which of the moves of a book is played.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_movegen::Position;

use super::file::{Book, BookMove};
use super::key::key;
use crate::position as any;

/// Where the draws of a game come from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seed {
    /// Chosen by the user.
    pub seed: u32,
    /// How many games were begun before.
    pub game: u32,
}

/// What a book says about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The move to play, legal.
    pub mv: BookMove,
    /// The sum of the weights of the moves that were to be had.
    pub weights: u64,
    /// How many they were.
    pub moves: usize,
}

/// A move that a book has for a position, drawn by the weights: moves of weight 0 are never played, nor are
/// those after which the opponent can claim a threefold repetition. The same seed, book and
/// position give the same move.
pub fn choose(book: &Book, position: &Position, seed: Seed) -> Option<Hit> {
    let mut moves = book.moves(position);
    moves.retain(|found| found.weight > 0 && !repeats(position, found));
    let weights = moves.iter().map(|found| u64::from(found.weight)).sum();
    if weights == 0 {
        return None;
    }
    let seed = u64::from(seed.seed) << 32 | u64::from(seed.game);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(key(position) ^ seed);
    let mv = drawn(&moves, random.random_range(0..weights));
    Some(Hit { mv, weights, moves: moves.len() })
}

/// The move that the built-in book has for a position of any game, drawn so.
pub fn built_in_move(position: &any::Position, seed: u64, game: u32) -> Option<any::Move> {
    let hit = choose(Book::built_in(), position.chess()?, Seed { seed: seed as u32, game })?;
    Some(any::Move::Chess(hit.mv.mv))
}

fn repeats(position: &Position, found: &BookMove) -> bool {
    let mut next = position.clone();
    next.make(found.mv);
    next.is_repetition(0)
}

/// The move in whose share of the weights a number below their sum falls.
fn drawn(moves: &[BookMove], mut ticket: u64) -> BookMove {
    for found in moves {
        let weight = u64::from(found.weight);
        if ticket < weight {
            return *found;
        }
        ticket -= weight;
    }
    unreachable!("invariant: the number is below the sum of the weights")
}

#[cfg(test)]
mod tests {
    use super::{Seed, choose};
    use crate::book::entry::{Entry, MoveCode};
    use crate::book::{Book, key};
    use tamarin_movegen::Position;

    fn book(position: &Position, moves: &[(&str, u16)]) -> Book {
        let entry = |&(san, weight): &(&str, u16)| {
            let code = MoveCode::of(position.parse_san(san).unwrap());
            Entry { key: key(position), code, weight, learn: 0 }.to_bytes()
        };
        Book::new(moves.iter().flat_map(entry).collect::<Vec<u8>>()).unwrap()
    }

    fn choice(book: &Book, position: &Position, seed: Seed) -> Option<String> {
        let hit = choose(book, position, seed)?;
        Some(position.san(hit.mv.mv).to_string())
    }

    #[test]
    fn draws_follow_the_weights_and_the_seed() {
        let start = Position::startpos();
        let book = book(&start, &[("e4", 60), ("d4", 30), ("a4", 0), ("c4", 10)]);
        let mut counts = [0; 4];
        for game in 0..10_000 {
            let seed = Seed { seed: 5, game };
            let found = choice(&book, &start, seed).unwrap();
            assert_eq!(choice(&book, &start, seed), Some(found.clone()));
            let names = ["e4", "d4", "c4", "a4"];
            counts[names.iter().position(|name| *name == found).unwrap()] += 1;
        }
        // Three standard deviations of a draw with the largest variance are 150.
        for (count, wanted) in counts.into_iter().zip([6000_i32, 3000, 1000, 0]) {
            assert!(wanted.abs_diff(count) <= 150, "{counts:?}");
        }
        let games = |seed| {
            (0..20).map(|game| choice(&book, &start, Seed { seed, game })).collect::<Vec<_>>()
        };
        assert_ne!(games(1), games(2));
    }

    #[test]
    fn weights_of_zero_are_no_moves() {
        let start = Position::startpos();
        let book = book(&start, &[("e4", 0), ("d4", 0)]);
        assert_eq!(choice(&book, &start, Seed::default()), None);
    }

    #[test]
    fn no_move_allows_a_threefold_repetition() {
        let mut position = Position::startpos();
        for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"] {
            position.make(position.parse_san(san).unwrap());
        }
        let book = book(&position, &[("Ng8", 100), ("e5", 1)]);
        let found = choice(&book, &position, Seed::default());
        assert_eq!(found.as_deref(), Some("e5"));
    }
}
