//! Which of the moves of a book is played.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_movegen::Position;

use super::file::{Book, BookMove};
use super::key::key;

/// How a move is chosen among those of a position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Choice {
    /// The one with the greatest weight, the first of several.
    Best,
    /// Any of them, as often as its share of the weights.
    #[default]
    Weighted,
}

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

/// The move that a book has for a position, if any: moves of weight 0 are never played, nor are
/// those after which the opponent can claim a threefold repetition. The same seed, book and
/// position give the same move.
pub fn choose(book: &Book, position: &Position, choice: Choice, seed: Seed) -> Option<Hit> {
    let mut moves = book.moves(position);
    moves.retain(|found| found.weight > 0 && !repeats(position, found));
    let weights = moves.iter().map(|found| u64::from(found.weight)).sum();
    let mv = match choice {
        // Of several equal ones `max_by_key` takes the last.
        Choice::Best => *moves.iter().rev().max_by_key(|found| found.weight)?,
        Choice::Weighted if moves.is_empty() => return None,
        Choice::Weighted => {
            let seed = u64::from(seed.seed) << 32 | u64::from(seed.game);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(key(position) ^ seed);
            drawn(&moves, random.random_range(0..weights))
        }
    };
    Some(Hit { mv, weights, moves: moves.len() })
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
    use super::{Choice, Seed, choose};
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

    fn choice(book: &Book, position: &Position, choice: Choice, seed: Seed) -> Option<String> {
        let hit = choose(book, position, choice, seed)?;
        Some(position.san(hit.mv.mv).to_string())
    }

    #[test]
    fn the_best_is_the_first_of_the_heaviest() {
        let start = Position::startpos();
        let book = book(&start, &[("a4", 2), ("e4", 7), ("d4", 7), ("c4", 6)]);
        for game in 0..20 {
            let found = choice(&book, &start, Choice::Best, Seed { seed: 1, game });
            assert_eq!(found.as_deref(), Some("e4"));
        }
    }

    #[test]
    fn draws_follow_the_weights_and_the_seed() {
        let start = Position::startpos();
        let book = book(&start, &[("e4", 60), ("d4", 30), ("a4", 0), ("c4", 10)]);
        let mut counts = [0; 4];
        for game in 0..10_000 {
            let seed = Seed { seed: 5, game };
            let found = choice(&book, &start, Choice::Weighted, seed).unwrap();
            assert_eq!(choice(&book, &start, Choice::Weighted, seed), Some(found.clone()));
            let names = ["e4", "d4", "c4", "a4"];
            counts[names.iter().position(|name| *name == found).unwrap()] += 1;
        }
        // Three standard deviations of a draw with the largest variance are 150.
        for (count, wanted) in counts.into_iter().zip([6000_i32, 3000, 1000, 0]) {
            assert!(wanted.abs_diff(count) <= 150, "{counts:?}");
        }
        let games = |seed| {
            (0..20)
                .map(|game| choice(&book, &start, Choice::Weighted, Seed { seed, game }))
                .collect::<Vec<_>>()
        };
        assert_ne!(games(1), games(2));
    }

    #[test]
    fn weights_of_zero_are_no_moves() {
        let start = Position::startpos();
        let book = book(&start, &[("e4", 0), ("d4", 0)]);
        for kind in [Choice::Best, Choice::Weighted] {
            assert_eq!(choice(&book, &start, kind, Seed::default()), None);
        }
    }

    #[test]
    fn no_move_allows_a_threefold_repetition() {
        let mut position = Position::startpos();
        for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"] {
            position.make(position.parse_san(san).unwrap());
        }
        let book = book(&position, &[("Ng8", 100), ("e5", 1)]);
        let found = choice(&book, &position, Choice::Best, Seed::default());
        assert_eq!(found.as_deref(), Some("e5"));
    }
}
