//! Seeded random games for the tests of the text formats.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_movegen::{Move, Position};

#[path = "../fens/mod.rs"]
mod fens;

#[allow(unused_imports, reason = "each test takes what it needs")]
pub use fens::{RICH, START};

/// The source of random numbers of these tests.
pub type TestRng = Xoshiro256PlusPlus;

pub fn seeded(seed: u64) -> TestRng {
    TestRng::seed_from_u64(seed)
}

/// Plays random moves until the game ends, the halfmove clock is at 100 or `plies` are played,
/// and shows each position and the move played in it.
pub fn play_randomly(
    rng: &mut TestRng,
    start: &Position,
    plies: usize,
    mut visit: impl FnMut(&Position, Move),
) {
    let mut position = start.clone();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let Some(&chosen) = moves.choose(rng).filter(|_| position.halfmove_clock() < 100) else {
            return;
        };
        visit(&position, chosen);
        position.make(chosen);
    }
}
