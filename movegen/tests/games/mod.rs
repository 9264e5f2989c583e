//! Seeded random games for the tests of the text formats.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_movegen::{Move, Position};

/// Positions that random play from a starting position rarely reaches: castling, en passant,
/// promotion, and many pieces of a kind that can go to the same square.
pub const RICH: [&str; 7] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6nk/6pp/Q2Q4/8/1Q3Q2/8/Q2Q2K1/8 w - - 0 1",
    "6rk/6pp/N2N4/8/N2N2N1/8/N2N4/6K1 w - - 0 1",
    "1r1r1r1k/8/r7/8/r3r3/8/6PP/6NK b - - 0 1",
    "k7/1b3b2/8/3b1b2/8/1b3b2/8/6K1 b - - 0 1",
];

/// The starting position of Chess960 with this number, White's and Black's from 0 to 959.
pub fn chess960(white: u32, black: u32) -> Position {
    let fen = format!("{:#}", cozy_chess::Board::double_chess960_startpos(white, black));
    Position::from_fen(&fen).expect("a starting position is legal")
}

/// A source of random numbers with a documented seed.
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit as u64) as usize
    }

    /// Plays random moves until the game ends, the clock is at 100 or `plies` are played, and
    /// shows each position and the move played in it.
    pub fn play(&mut self, start: &Position, plies: usize, mut visit: impl FnMut(&Position, Move)) {
        let mut position = start.clone();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() >= 100 {
                return;
            }
            let chosen = moves[self.below(moves.len())];
            visit(&position, chosen);
            position.make(chosen);
        }
    }
}
