//! What the tests share.
#![allow(dead_code, reason = "the tests in the crate use some of it")]

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

/// The position with the colors exchanged, seen from the other side.
pub fn flipped(position: &Position) -> Position {
    let game = position.game();
    let fen = position.fen();
    let mut fields = fen.split(' ');
    let swap = |text: &str| -> String {
        let swap_case = |c: char| match c.is_uppercase() {
            true => c.to_ascii_lowercase(),
            false => c.to_ascii_uppercase(),
        };
        text.chars().map(swap_case).collect()
    };
    let mut rows: Vec<String> = fields.next().unwrap().split('/').map(swap).collect();
    rows.reverse();
    if game.flip(0) as usize + 1 == game.squares() {
        rows = rows.iter().map(|row| backwards(row)).collect();
    }
    let side = if fields.next() == Some("w") { "b" } else { "w" };
    Position::from_fen(game, &format!("{} {side} - - 0 1", rows.join("/"))).unwrap()
}

/// A row of a FEN from right to left; a plus belongs to the letter behind it.
fn backwards(row: &str) -> String {
    let mut tokens: Vec<String> = Vec::new();
    for c in row.chars() {
        match tokens.last_mut() {
            Some(last) if last == "+" => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens.reverse();
    tokens.concat()
}
