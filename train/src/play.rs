//! Games of engines in this process: who has which color, moves until the end, and the end of games
//! whose result is clear.

use core::ops::ControlFlow;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_movegen::{Color, Move, Outcome, PerColor, Position};

use crate::data::GameResult;
use crate::error::Result;

/// The random numbers of game or pair `number` of a run.
pub fn random_of(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    // An odd factor far from that of the generator's own seeding keeps the games of neighboring
    // seeds apart.
    const SPREAD: u64 = 0xD134_2543_DE82_EF95;
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(SPREAD).wrapping_add(number))
}

/// Plays from a position until the rules end the game, or `turn`, which gives the move of a ply
/// counted from 0, breaks it off.
pub fn play<B>(
    start: &Position,
    mut turn: impl FnMut(&Position, usize) -> ControlFlow<B, Move>,
) -> Result<Outcome, B> {
    let mut position = start.clone();
    for ply in 0.. {
        if let Some(outcome) = position.outcome_with_claims() {
            return Ok(outcome);
        }
        match turn(&position, ply) {
            ControlFlow::Continue(mv) => position.make(mv),
            ControlFlow::Break(end) => return Err(end),
        }
    }
    unreachable!("invariant: the rules end every game")
}

/// Both games of an opening between two players, of whom the first has White in the first. `game`
/// is told which of them has which color.
pub fn both_colors<G>(mut game: impl FnMut(PerColor<usize>) -> Result<G>) -> Result<[G; 2]> {
    Ok([game(PerColor([0, 1]))?, game(PerColor([1, 0]))?])
}

/// The half points of the first player in these games.
pub fn half_points([with_white, with_black]: [GameResult; 2]) -> [usize; 2] {
    [with_white.index(), 2 - with_black.index()]
}

/// When a game is ended before the rules end it. Plies are counted from the first search.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// A game is won at this score, in engine units ...
    #[arg(long, default_value_t = 1_000, value_name = "UNITS")]
    pub win_score: u16,

    /// ... that holds for this number of plies; 0 plays every win out
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub win_plies: u32,

    /// A game is drawn at no more than this score ...
    #[arg(long, default_value_t = 8, value_name = "UNITS")]
    pub draw_score: u16,

    /// ... that holds for this number of plies; 0 plays every draw out
    #[arg(long, default_value_t = 12, value_name = "N")]
    pub draw_plies: u32,

    /// Before this ply no game is called drawn
    #[arg(long, default_value_t = 80, value_name = "N")]
    pub draw_from: usize,

    /// After this number of plies a game is called drawn
    #[arg(long, default_value_t = 400, value_name = "N")]
    pub max_plies: usize,
}

/// Moves in a row for which something held.
#[derive(Clone, Copy, Default, Debug)]
pub struct Streak(u32);

impl Streak {
    /// One more move; the length of the streak after it.
    pub const fn next(&mut self, holds: bool) -> u32 {
        self.0 = if holds { self.0 + 1 } else { 0 };
        self.0
    }
}

/// How long the scores of a game have been clear.
#[derive(Clone, Copy, Default, Debug)]
pub struct Streaks {
    white_wins: Streak,
    black_wins: Streak,
    draw: Streak,
}

impl Streaks {
    /// Takes in the next score (engine units, White's view), that of ply `ply` counted
    /// from 0; the outcome if that decides the game.
    pub fn next(&mut self, rules: &Adjudication, score: i32, ply: usize) -> Option<GameResult> {
        let is_long = |length: u32, plies: u32| plies > 0 && length >= plies;
        let win = i32::from(rules.win_score);
        let is_level = score.abs() <= i32::from(rules.draw_score) && ply >= rules.draw_from;
        let white_wins = self.white_wins.next(score >= win);
        let black_wins = self.black_wins.next(score <= -win);
        let draw = self.draw.next(is_level);
        if is_long(white_wins, rules.win_plies) {
            Some(GameResult::won_by(Color::White))
        } else if is_long(black_wins, rules.win_plies) {
            Some(GameResult::won_by(Color::Black))
        } else if is_long(draw, rules.draw_plies) || ply + 1 >= rules.max_plies {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}
