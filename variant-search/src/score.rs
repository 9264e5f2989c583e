//! Scores: centipawns and distances to the end of the game.

use std::fmt;

use tamarin_variant::{Color, Outcome};

/// The score of a game won now. One won in `n` plies scores so much less.
pub const WIN: i32 = 32_000;
/// No line is longer, in plies.
pub const MAX_PLY: usize = 128;
/// Scores from here on are won games.
const LEAST_WIN: i32 = WIN - 2 * MAX_PLY as i32;
/// The greatest score of an evaluation, in centipawns.
pub(crate) const MAX_EVALUATION: i32 = LEAST_WIN - 1;

/// Returns `true` if a score is a game won or lost by force.
#[inline]
pub(crate) fn is_decisive(score: i32) -> bool {
    score.abs() >= LEAST_WIN
}

/// The score of a game that has ended at `ply`, for `side`.
pub(crate) fn of_outcome(outcome: Outcome, side: Color, ply: usize) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == side => WIN - ply as i32,
        Some(_) => ply as i32 - WIN,
    }
}

/// A score for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Hundredths of the weakest piece that promotes, for the side to move.
    Centipawns(i32),
    /// The game is won in this number of moves of the side to move, or lost if negative. Half
    /// moves are rounded up: a game that its own next move loses is lost in one. 0 is a game that
    /// is over, won or lost.
    Mate(i32),
}

impl Value {
    /// The value of a score.
    pub fn of(score: i32) -> Self {
        match is_decisive(score) {
            true if score > 0 => Self::Mate((WIN - score + 1) / 2),
            true => Self::Mate(-((WIN + score + 1) / 2)),
            false => Self::Centipawns(score),
        }
    }
}

impl fmt::Display for Value {
    /// As UCI writes it: `cp 17`, `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "cp {score}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_moves() {
        assert_eq!(Value::of(WIN - 1), Value::Mate(1));
        assert_eq!(Value::of(WIN - 2), Value::Mate(1));
        assert_eq!(Value::of(WIN - 3), Value::Mate(2));
        assert_eq!(Value::of(-WIN), Value::Mate(0));
        assert_eq!(Value::of(1 - WIN), Value::Mate(-1));
        assert_eq!(Value::of(2 - WIN), Value::Mate(-1));
        assert_eq!(Value::of(3 - WIN), Value::Mate(-2));
        assert_eq!(Value::of(4 - WIN), Value::Mate(-2));
        assert_eq!(Value::of(WIN), Value::Mate(0));
        assert_eq!(Value::of(-17).to_string(), "cp -17");
    }
}
