//! What the tests share.

use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use tamarin_variant::{Game, Position, builtin};

/// The games of the thesis.
pub const GAMES: [&str; 5] = ["fide", "nuttyknights", "clobberers", "shogi_nodrop", "locusts"];

/// A built-in game.
pub fn game(name: &str) -> Arc<Game> {
    builtin(name).unwrap()
}

/// Positions after 0, 1, ... random moves, until the game is over or has `plies` plies.
pub fn random_game(game: &Arc<Game>, seed: u64, plies: usize) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::start(game);
    let mut positions = vec![position.clone()];
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.rule_outcome().is_some() {
            break;
        }
        position.make(moves[random.next_u64() as usize % moves.len()]);
        positions.push(position.clone());
    }
    positions
}
