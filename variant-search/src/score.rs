//! Scores: centipawns and distances to the end of the game.

use tamarin_base::ScoreValue;
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

/// A score for people, in hundredths of the weakest piece that promotes. Mates count as every loss:
/// half moves are rounded up, so that a game that its own next move loses is lost in one. 0 is a
/// game that is over, won or lost.
pub fn score_value(score: i32) -> ScoreValue {
    match is_decisive(score) {
        true if score > 0 => ScoreValue::Mate((WIN - score + 1) / 2),
        true => ScoreValue::Mate(-((WIN + score + 1) / 2)),
        false => ScoreValue::Centipawns(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_moves() {
        assert_eq!(score_value(WIN - 1), ScoreValue::Mate(1));
        assert_eq!(score_value(WIN - 2), ScoreValue::Mate(1));
        assert_eq!(score_value(WIN - 3), ScoreValue::Mate(2));
        assert_eq!(score_value(-WIN), ScoreValue::Mate(0));
        assert_eq!(score_value(1 - WIN), ScoreValue::Mate(-1));
        assert_eq!(score_value(2 - WIN), ScoreValue::Mate(-1));
        assert_eq!(score_value(3 - WIN), ScoreValue::Mate(-2));
        assert_eq!(score_value(4 - WIN), ScoreValue::Mate(-2));
        assert_eq!(score_value(WIN), ScoreValue::Mate(0));
        assert_eq!(score_value(-17).to_string(), "cp -17");
    }
}
